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

describe('openFileSource', () => {
  it('reads from any position, repeatedly', async () => {
    writeFileSync(join(folder, 'x'), '0123456789');
    const source = await openFileSource(join(folder, 'x'));
    expect([await textOf(source), await textOf(source, 3, 6), await textOf(source, 9)]).toEqual([
      '0123456789',
      '345',
      '9',
    ]);
  });

  it('keeps the size it had when it was opened, even if the file grows', async () => {
    writeFileSync(join(folder, 'x'), 'before');
    const source = await openFileSource(join(folder, 'x'));
    appendFileSync(join(folder, 'x'), ' and after');
    expect(await textOf(source)).toBe('before');
  });

  it('fails if the file is truncated after opening', async () => {
    writeFileSync(join(folder, 'x'), 'a'.repeat(600_000));
    const source = await openFileSource(join(folder, 'x'));
    truncateSync(join(folder, 'x'), 300_000);
    await expect(textOf(source)).rejects.toThrow('became shorter while it was read');
  });

  it('fails with file-not-found if the file is removed after opening', async () => {
    writeFileSync(join(folder, 'x'), 'gone');
    const source = await openFileSource(join(folder, 'x'));
    rmSync(join(folder, 'x'));
    await expect(textOf(source)).rejects.toMatchObject({ code: 'file-not-found' });
  });
});
