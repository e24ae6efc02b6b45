import { readSession } from '../dist/index.js';

/** The number of messages that a trace lacks. Extra messages count too, because they are just as wrong. */
export async function missingIn(trace, { sent, received }) {
  const recorded = { client_to_server: 0, server_to_client: 0 };
  for await (const batch of (await readSession(trace)).batches()) {
    for (const entry of batch) if (entry.kind === 'message') recorded[entry.direction]++;
  }
  return Math.abs(sent - recorded.client_to_server) + Math.abs(received - recorded.server_to_client);
}
