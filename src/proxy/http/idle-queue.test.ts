import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleQueue, type UnfinishedWork } from './idle-queue.ts';

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

/** Work that is unfinished until the test ends it. */
function unfinished(done: string[]): { work: () => UnfinishedWork; end: () => void } {
  let end = (): void => undefined;
  const work = (): UnfinishedWork => {
    done.push('begun');
    return {
      onDone: (then) => {
        end = then;
      },
      giveUp: (reason) => done.push(`given up: ${reason}`),
    };
  };
  return { work, end: () => end() };
}

it('keeps the order of tasks behind one that takes time', () => {
  const { idleQueue, done } = noting();
  const { work, end } = unfinished(done);
  idleQueue.addLong(work, 1);
  idleQueue.add(() => done.push('second'));
  vi.runAllTimers();
  idleQueue.afterAll(() => done.push('last'));
  idleQueue.add(() => done.push('after that'));
  vi.runAllTimers();
  expect(done.filter((what) => what !== 'done')).toEqual(['begun']);
  end();
  expect(done.filter((what) => what !== 'done')).toEqual(['begun', 'second', 'last', 'after that']);
  idleQueue.afterAll(() => done.push('at once'));
  expect(done.at(-1)).toBe('at once');
});

it('gives up a task that takes time when too many bytes wait behind it', () => {
  const done: string[] = [];
  const idleQueue = new IdleQueue(
    () => undefined,
    () => undefined,
    100,
  );
  const { work, end } = unfinished(done);
  idleQueue.addLong(work, 1);
  idleQueue.finish();
  for (let n = 0; n < 2; n++) idleQueue.addLong(() => void done.push('more'), 60);
  vi.runAllTimers();
  end();
  expect(done).toEqual([
    'begun',
    'given up: too much other traffic arrived while it was being decoded',
    'more',
    'more',
  ]);
});

it('gives up tasks that take time once it has to hurry', () => {
  const { idleQueue, done } = noting();
  for (const name of ['one', 'two']) {
    idleQueue.addLong(unfinished(done).work, 1);
    idleQueue.add(() => done.push(name));
  }
  idleQueue.finish();
  idleQueue.hurry('the end');
  const expected = ['begun', 'given up: the end', 'one', 'begun', 'given up: the end', 'two'];
  expect(done.filter((what) => what !== 'done')).toEqual(expected);
});

it('removes tasks that have run while a long list waits', () => {
  const { idleQueue, done } = noting();
  const ends: (() => void)[] = [];
  for (let n = 0; n < 3000; n++) {
    const { work, end } = unfinished([]);
    ends.push(end);
    idleQueue.addLong(work, 1);
    idleQueue.add(() => done.push(`${n}`));
  }
  idleQueue.finish();
  for (const end of ends) end();
  expect(done.filter((what) => what !== 'done')).toEqual(ends.map((_, n) => `${n}`));
});
