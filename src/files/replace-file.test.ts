import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipOnWindows } from '../../test/support/unless.ts';
import { replaceFile } from './replace-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function* pieces(...given: string[]): AsyncGenerator<string> {
  yield* given;
}

describe('replaceFile', () => {
  it('replaces a file as a whole, accessible only to its owner', async () => {
    writeFileSync(join(folder, 'x'), 'old');
    await replaceFile(join(folder, 'x'), pieces('new', ' and', ' whole'));
    expect(readFileSync(join(folder, 'x'), 'utf8')).toBe('new and whole');
    if (process.platform !== 'win32') expect(statSync(join(folder, 'x')).mode & 0o777).toBe(0o600);
  });

  it('keeps the old file and leaves no other file behind if writing fails', async () => {
    writeFileSync(join(folder, 'x'), 'old');
    async function* failing(): AsyncGenerator<string> {
      yield 'half';
      throw new Error('no more');
    }
    await expect(replaceFile(join(folder, 'x'), failing())).rejects.toThrow('no more');
    expect(readdirSync(folder)).toEqual(['x']);
    expect(readFileSync(join(folder, 'x'), 'utf8')).toBe('old');
  });

  it(
    'writes into a named pipe without replacing it',
    skipOnWindows('Windows has no named pipes among files'),
    async () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
      await replaceFile(pipe, pieces('through', ' the pipe'));
      expect(await text(reader.stdout)).toBe('through the pipe');
      expect(statSync(pipe).isFIFO()).toBe(true);
    },
  );
});
