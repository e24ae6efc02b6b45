import { expect, it } from 'vitest';
import { Afterwards } from './afterwards.ts';

function noting(): { afterwards: Afterwards; done: string[] } {
  const done: string[] = [];
  const afterwards = new Afterwards(
    () => done.push('done'),
    (error) => done.push(error.message),
  );
  return { afterwards, done };
}

it('does together and in order what was put off, when everything else of this turn is done', async () => {
  const { afterwards, done } = noting();
  afterwards.add(() => done.push('first'));
  await Promise.resolve();
  afterwards.add(() => done.push('second'));
  expect(done).toEqual([]);
  await new Promise(setImmediate);
  expect(done).toEqual(['first', 'second', 'done']);
});

it('does what is put off meanwhile as well', async () => {
  const { afterwards, done } = noting();
  afterwards.add(() => {
    done.push('first');
    afterwards.add(() => done.push('later'));
  });
  afterwards.add(() => done.push('second'));
  await new Promise(setImmediate);
  expect(done).toEqual(['first', 'second', 'later', 'done']);
});

it('does it at once if it is asked to, and only once', async () => {
  const { afterwards, done } = noting();
  afterwards.add(() => done.push('first'));
  afterwards.finish();
  expect(done).toEqual(['first', 'done']);
  afterwards.add(() => done.push('second'));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(done.filter((what) => what !== 'done')).toEqual(['first', 'second']);
});

it('goes on after work that failed', async () => {
  const { afterwards, done } = noting();
  afterwards.add(() => {
    throw new Error('broken');
  });
  afterwards.add(() => done.push('second'));
  await new Promise(setImmediate);
  expect(done).toEqual(['broken', 'second', 'done']);
});
