import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { missingIn } from './missing-messages.mjs';
import { StdioClient } from './stdio-client.mjs';

/** Nothing here takes so long unless it hangs. */
const LIMIT_MS = 600_000;

/** Talks with a program that keeps its files in a folder, and ends it. */
export async function talkTo(command, folder, talk) {
  const client = new StdioClient(command, { env: { ...process.env, MCPREEL_HOME: folder } });
  try {
    await client.initialize();
    await talk(client);
    await client.close();
  } finally {
    client.abandon();
  }
}

/**
 * Starts a contestant in front of a server, lets `talk` have the conversation, and ends it. Returns when the first
 * answer came, and how many messages the recording lacks where there is one.
 */
export async function converse(contestant, server, folder, talk, { nodeFlags, env, text } = {}) {
  const place = join(folder, 'conversation');
  const { command, trace } = contestant.prepare(server, place, nodeFlags);
  const client = new StdioClient(command, { env: { ...process.env, ...env, MCPREEL_HOME: place } }, text);
  const limit = setTimeout(() => client.abandon(), LIMIT_MS);
  try {
    const firstAnswerMs = await client.initialize();
    await talk(client);
    await client.close(contestant.endsBy);
    return { firstAnswerMs, missing: trace === undefined ? undefined : await missingIn(trace, client) };
  } finally {
    clearTimeout(limit);
    client.abandon();
    rmSync(place, { recursive: true, force: true });
  }
}
