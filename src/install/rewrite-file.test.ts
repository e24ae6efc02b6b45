import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asRoot, notRoot, unless } from '../../test/support/unless.ts';
import { rewriteFile } from './rewrite-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string): string {
  const path = join(folder, 'config.json');
  writeFileSync(path, text);
  return path;
}

describe('rewriteFile', () => {
  it('replaces the text of a file and keeps its mode', async () => {
    const path = fileWith('old');
    chmodSync(path, 0o664);
    await rewriteFile(path, 'old', 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o664);
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('does not overwrite a file that was changed in the meantime', async () => {
    const path = fileWith('theirs');
    await expect(rewriteFile(path, 'old', 'new')).rejects.toThrow('the file changed in the meantime');
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('does not recreate a file that was deleted', async () => {
    await expect(rewriteFile(join(folder, 'gone'), 'old', 'new')).rejects.toThrow(
      'cannot write: no such file or folder',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps the owner of a file that is owned by another user', unless(notRoot), async () => {
    const path = fileWith('old');
    const { chownSync } = await import('node:fs');
    chownSync(path, 4321, 1234);
    await rewriteFile(path, 'old', 'new');
    expect(statSync(path)).toMatchObject({ uid: 4321, gid: 1234 });
  });

  it('does not write a read-only file', unless(asRoot), async () => {
    const path = fileWith('old');
    chmodSync(path, 0o444);
    await expect(rewriteFile(path, 'old', 'new')).rejects.toThrow(/^cannot write: (permission denied|not permitted)$/);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });
});
