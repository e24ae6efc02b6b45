import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { missingIn } from './missing-messages.mjs';
import { StdioClient } from './stdio-client.mjs';

/** A benchmark that takes this long hangs. */
const LIMIT_MS = 600_000;

/** Runs a client session with a program that keeps its files in a folder, and ends the program. */
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
 * Starts a contestant in front of a server, runs `talk` with a client, and ends the contestant. Returns the time of the
 * first response and, if there is a recording, the number of messages it lacks.
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
