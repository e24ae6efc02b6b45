import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onInterrupt, type ProgressProcess } from './show-progress.ts';

it('handles an interrupt that arrived before listening stopped, and ends the process with it', async () => {
  const log: string[] = [];
  const emitter = new EventEmitter();
  const own = Object.assign(emitter, {
    pid: 7,
    kill: (pid: number, signal: string) =>
      log.push(`${signal} to ${pid} with ${emitter.listenerCount(signal)} listeners`),
  }) as unknown as ProgressProcess;
  const stop = onInterrupt(() => log.push('heard'), own);
  stop();
  // Node emits a signal one event loop turn after it arrived.
  emitter.emit('SIGINT', 'SIGINT');
  expect(log).toEqual(['heard', 'SIGINT to 7 with 0 listeners']);
  await nextTurn();
  expect(emitter.eventNames()).toEqual([]);
});

it('removes its listeners one event loop turn after it is stopped', async () => {
  const emitter = new EventEmitter();
  const own = Object.assign(emitter, { pid: 7, kill: () => true }) as unknown as ProgressProcess;
  onInterrupt(() => undefined, own)();
  await nextTurn();
  expect(emitter.eventNames()).toEqual([]);
});
