import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import type { Connected } from '../support/sdk-clients.ts';

/** More than a pipe or a socket buffer holds; in long runs as much as an image. */
const PACKED_BYTES = isLongRun ? 2_300_000 : 230_000;
const WATCHED = 'demo://resource/static/document/features.md';

/**
 * Uses every feature of server-everything, including its roots, sampling and elicitation requests. At the end, the
 * server has nothing left to send on its own.
 */
export async function converse({ client, call, request, noted }: Connected): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('trigger-elicitation-request');
  await client.setLoggingLevel('debug');
  await call('echo', { message: 'Zoë ✓ \u2028 "quoted"' });
  await call('no-such-tool', {}).catch(() => undefined);
  await Promise.all([
    call('trigger-long-running-operation', { duration: 0.05, steps: 4 }, { onprogress: () => undefined }),
    call('get-sum', { a: 0.1, b: 2 }),
  ]);
  await call('trigger-sampling-request', { prompt: 'Say hello', maxTokens: 10 });
  await call('trigger-elicitation-request', {});
  await call('get-roots-list', {});
  await watch({ client, call, noted });
  await call('toggle-simulated-logging', {});
  await noted.hears('notifications/message');
  await call('toggle-simulated-logging', {});
  await client.readResource({ uri: 'nowhere://' }).catch(() => undefined);
  await giveUp({ call, noted });
  await begin(request);
  const data = `data:application/octet-stream;base64,${incompressible(PACKED_BYTES).toString('base64')}`;
  const packed = await call('gzip-file-as-resource', { name: 'big.gz', data, outputType: 'resource' });
  expect(JSON.stringify(packed).length).toBeGreaterThan(PACKED_BYTES * 1.3);
}

/** Receives one notification that a resource has changed. */
async function watch({ client, call, noted }: Pick<Connected, 'client' | 'call' | 'noted'>): Promise<void> {
  await client.subscribeResource({ uri: WATCHED });
  await call('toggle-subscriber-updates', {});
  await noted.hears('notifications/resources/updated');
  await call('toggle-subscriber-updates', {});
  await client.unsubscribeResource({ uri: WATCHED });
}

/** Cancels a call that has started. The server still reports progress, and never answers. */
async function giveUp({ call, noted }: Pick<Connected, 'call' | 'noted'>): Promise<void> {
  const giving = new AbortController();
  const begun = { signal: giving.signal, onprogress: () => giving.abort('enough') };
  await expect(call('trigger-long-running-operation', { duration: 0.4, steps: 2 }, begun)).rejects.toThrow();
  await noted.hears('notifications/progress', 4 + 2);
}

/** Starts a task and cancels it. */
async function begin(request: Connected['request']): Promise<void> {
  const params = { name: 'simulate-research-query', arguments: { topic: 'film' }, task: { ttl: 60_000 } };
  const { task } = (await request('tools/call', params)) as { task: { taskId: string } };
  await request('tasks/get', { taskId: task.taskId });
  await request('tasks/list', {});
  await request('tasks/cancel', { taskId: task.taskId });
}

/** Pseudo-random bytes that are the same in every run. */
function incompressible(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, n) => createHash('sha256').update(`${n}`).digest());
  return Buffer.concat(blocks, length);
}
