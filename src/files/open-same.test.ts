import { execFileSync } from 'node:child_process';
import { closeSync, constants, lstatSync, mkdtempSync, openSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skipOnWindows } from '../../test/support/unless.ts';
import { openSame } from './replace-file.ts';

/** Two pipes with readers: `out`, which was judged, and `other`. */
function pipes(): { out: string; other: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-same-'));
  const [out, other] = [join(folder, 'out'), join(folder, 'other')];
  execFileSync('mkfifo', [out, other]);
  const readers = [out, other].map((pipe) => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK));
  onTestFinished(() => {
    for (const reader of readers) closeSync(reader);
    rmSync(folder, { recursive: true });
  });
  return { out, other };
}

describe('a pipe that was judged', skipOnWindows('Windows has no named pipes in folders'), () => {
  it('is opened if it is still there', async () => {
    const { out } = pipes();
    await (await openSame(out, lstatSync(out))).close();
  });

  it('is not opened if another one has its name', async () => {
    const { out, other } = pipes();
    const judged = lstatSync(out);
    renameSync(other, out);
    await expect(openSame(out, judged)).rejects.toThrow('it was replaced while being opened');
  });

  it('is not opened through a link that has its name', async () => {
    const { out } = pipes();
    const judged = lstatSync(out);
    renameSync(out, `${out}-moved`);
    symlinkSync('out-moved', out);
    await expect(openSame(out, judged)).rejects.toThrow('ELOOP');
  });
});
