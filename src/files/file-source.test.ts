import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileSource, openFileSource } from './file-source.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function textOf({ read, size }: FileSource, start = 0, end: number = size): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of read(start, end)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a file as a source', () => {
  it('is read at any place, and more than once', async () => {
    writeFileSync(join(folder, 'x'), '0123456789');
    const source = await openFileSource(join(folder, 'x'));
    expect([await textOf(source), await textOf(source, 3, 6), await textOf(source, 9)]).toEqual([
      '0123456789',
      '345',
      '9',
    ]);
  });

  it('is as long as it was when it was opened, although it grows', async () => {
    writeFileSync(join(folder, 'x'), 'before');
    const source = await openFileSource(join(folder, 'x'));
    appendFileSync(join(folder, 'x'), ' and after');
    expect(await textOf(source)).toBe('before');
  });

  it('gives what is left of it where it was cut meanwhile', async () => {
    writeFileSync(join(folder, 'x'), 'a'.repeat(600_000));
    const source = await openFileSource(join(folder, 'x'));
    truncateSync(join(folder, 'x'), 300_000);
    expect((await textOf(source)).length).toBe(300_000);
  });

  it('is refused in our own words where it is not there any more', async () => {
    writeFileSync(join(folder, 'x'), 'gone');
    const source = await openFileSource(join(folder, 'x'));
    rmSync(join(folder, 'x'));
    await expect(textOf(source)).rejects.toMatchObject({ code: 'file-not-found' });
  });
});
