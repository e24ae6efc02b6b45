import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSession } from '../dist/index.js';
import { StdioClient } from './stdio-client.mjs';

/** Nothing here takes so long unless it hangs. */
const LIMIT_MS = 600_000;

/**
 * Starts a contestant in front of a server, lets `talk` have the conversation, and ends it. Returns when the first
 * answer came, and how many messages the recording lacks where there is one.
 */
export async function converse(contestant, server, folder, talk, { nodeFlags, env } = {}) {
  const place = join(folder, 'conversation');
  const { command, trace } = contestant.prepare(server, place, nodeFlags);
  const client = new StdioClient(command, { env: { ...process.env, ...env, MCPREEL_HOME: place } });
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

/** How many messages there are too few, or too many, which is as wrong. */
async function missingIn(trace, { sent, received }) {
  const recorded = { client_to_server: 0, server_to_client: 0 };
  for await (const batch of (await readSession(trace)).batches()) {
    for (const entry of batch) if (entry.kind === 'message') recorded[entry.direction]++;
  }
  return Math.abs(sent - recorded.client_to_server) + Math.abs(received - recorded.server_to_client);
}
