import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleQueue } from './idle-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function noting(): { idleQueue: IdleQueue; done: string[] } {
  const done: string[] = [];
  const idleQueue = new IdleQueue(
    () => done.push('done'),
    (error) => done.push(error.message),
  );
  return { idleQueue, done };
}

it('runs deferred tasks together and in order, once the current work is done', () => {
  const { idleQueue, done } = noting();
  idleQueue.add(() => done.push('first'));
  idleQueue.add(() => done.push('second'));
  expect(done).toEqual([]);
  vi.runAllTimers();
  expect(done).toEqual(['first', 'second', 'done']);
});

it('runs tasks that are added while it runs', () => {
  const { idleQueue, done } = noting();
  idleQueue.add(() => {
    done.push('first');
    idleQueue.add(() => done.push('later'));
  });
  idleQueue.add(() => done.push('second'));
  vi.runAllTimers();
  expect(done).toEqual(['first', 'second', 'later', 'done']);
});

it('runs tasks immediately on finish, and only once', () => {
  const { idleQueue, done } = noting();
  idleQueue.add(() => done.push('first'));
  idleQueue.finish();
  expect(done).toEqual(['first', 'done']);
  idleQueue.add(() => done.push('second'));
  vi.runAllTimers();
  expect(done.filter((what) => what !== 'done')).toEqual(['first', 'second']);
});

it('continues after a task that throws', () => {
  const { idleQueue, done } = noting();
  idleQueue.add(() => {
    throw new Error('broken');
  });
  idleQueue.add(() => done.push('second'));
  vi.runAllTimers();
  expect(done).toEqual(['broken', 'second', 'done']);
});

it('waits while more tasks arrive, but not forever', () => {
  const { idleQueue, done } = noting();
  for (let n = 0; n < 30; n++) {
    idleQueue.add(() => done.push('some'));
    vi.advanceTimersByTime(1);
  }
  expect(done.filter((what) => what === 'done')).toHaveLength(2);
  expect(done.filter((what) => what === 'some')).toHaveLength(30);
});
