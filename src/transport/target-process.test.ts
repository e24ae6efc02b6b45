import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startTarget } from './target-process.ts';

it('keeps what a server said that had ended before anybody listened', async () => {
  const script = 'process.stdout.write("x".repeat(100_000)); process.stderr.write("y")';
  const { env, platform, kill } = process;
  const target = await startTarget({ command: [process.execPath, '-e', script], env, cwd: undefined, platform, kill });
  expect(await target.exited).toEqual({ code: 0 });
  await new Promise(setImmediate);
  const said = Promise.all([buffer(target.stdout), buffer(target.stderr)]);
  target.release();
  expect((await said).map(({ length }) => length)).toEqual([100_000, 1]);
});
