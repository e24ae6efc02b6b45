import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CommandStep } from './command-run.ts';
import { CommandOutput } from './output.ts';
import { printRun } from './print-run.ts';

/** A stream that accepts a chunk only when `take` is called, or fails with an error. */
class SlowStream extends Writable {
  readonly chunks: string[] = [];
  #done: (() => void) | undefined;

  constructor() {
    super({
      write: (chunk: Buffer, _encoding, done) => {
        this.chunks.push(chunk.toString());
        this.#done = done;
      },
    });
  }

  async take(): Promise<void> {
    await settled();
    this.#done?.();
    await settled();
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function gathered(into: string[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      into.push(chunk.toString());
      done();
    },
  });
}

describe('printRun', () => {
  it('writes text and bytes to stdout and notes to stderr, in the order they are yielded', async () => {
    const written: string[] = [];
    const output = new CommandOutput(() => gathered(written), gathered(written));
    async function* run(): CommandStep<number> {
      yield 'a\n';
      yield { note: 'b' };
      yield Buffer.from('c\n');
      return 3;
    }
    expect(await printRun(run(), output)).toBe(3);
    expect(written).toEqual(['a\n', 'b\n', 'c\n']);
  });

  it('does not request the next chunk before the previous one is written', async () => {
    const stdout = new SlowStream();
    let made = 0;
    async function* run(): CommandStep {
      for (; made < 3; made++) yield `${made}`;
    }
    const printed = printRun(run(), new CommandOutput(() => stdout, gathered([])));
    await settled();
    expect({ made, chunks: stdout.chunks }).toEqual({ made: 0, chunks: ['0'] });
    await stdout.take();
    expect({ made, chunks: stdout.chunks }).toEqual({ made: 1, chunks: ['0', '1'] });
    await stdout.take();
    await stdout.take();
    expect(await printed).toBeUndefined();
  });

  it('throws a failed write into the command so that it can clean up', async () => {
    const failing = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space')) });
    failing.on('error', () => undefined);
    const seen: string[] = [];
    async function* run(): CommandStep {
      try {
        yield 'a';
        seen.push('went on');
      } catch (error) {
        seen.push((error as Error).message);
        throw error;
      } finally {
        seen.push('closed');
      }
    }
    const message = 'Cannot write to standard output: no space';
    await expect(printRun(run(), new CommandOutput(() => failing, gathered([])))).rejects.toThrow(message);
    expect(seen).toEqual([message, 'closed']);
  });

  it('waits for a command that yields nothing', async () => {
    expect(await printRun(Promise.resolve(4), new CommandOutput(() => gathered([]), gathered([])))).toBe(4);
  });
});
