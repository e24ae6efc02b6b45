import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleQueue } from './idle-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function noting(): { afterwards: IdleQueue; done: string[] } {
  const done: string[] = [];
  const afterwards = new IdleQueue(
    () => done.push('done'),
    (error) => done.push(error.message),
  );
  return { afterwards, done };
}

it('does together and in order what was put off, when everything was passed on', () => {
  const { afterwards, done } = noting();
  afterwards.add(() => done.push('first'));
  afterwards.add(() => done.push('second'));
  expect(done).toEqual([]);
  vi.runAllTimers();
  expect(done).toEqual(['first', 'second', 'done']);
});

it('does what is put off meanwhile as well', () => {
  const { afterwards, done } = noting();
  afterwards.add(() => {
    done.push('first');
    afterwards.add(() => done.push('later'));
  });
  afterwards.add(() => done.push('second'));
  vi.runAllTimers();
  expect(done).toEqual(['first', 'second', 'later', 'done']);
});

it('does it at once if it is asked to, and only once', () => {
  const { afterwards, done } = noting();
  afterwards.add(() => done.push('first'));
  afterwards.finish();
  expect(done).toEqual(['first', 'done']);
  afterwards.add(() => done.push('second'));
  vi.runAllTimers();
  expect(done.filter((what) => what !== 'done')).toEqual(['first', 'second']);
});

it('goes on after work that failed', () => {
  const { afterwards, done } = noting();
  afterwards.add(() => {
    throw new Error('broken');
  });
  afterwards.add(() => done.push('second'));
  vi.runAllTimers();
  expect(done).toEqual(['broken', 'second', 'done']);
});

it('waits as long as more comes, but not for ever', () => {
  const { afterwards, done } = noting();
  for (let n = 0; n < 30; n++) {
    afterwards.add(() => done.push('some'));
    vi.advanceTimersByTime(1);
  }
  expect(done.filter((what) => what === 'done')).toHaveLength(2);
  expect(done.filter((what) => what === 'some')).toHaveLength(30);
});
