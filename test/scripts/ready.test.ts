import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Place } from '../support/place.ts';
import { skipOnWindows } from '../support/unless.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Like npm, it continues after a SIGINT. */
const STUBBORN_NPM = `
import { writeFileSync } from 'node:fs';
writeFileSync('npm.pid', String(process.pid));
process.on('SIGINT', () => {});
setInterval(() => {}, 1000);`;

it.each(['SIGINT', 'SIGTERM'] as const)(
  'stops an install on %s before it exits, so that the next run can start',
  skipOnWindows('signals of POSIX'),
  async (signal) => {
    const place = new Place();
    cpSync(join(root, 'scripts'), place.path('scripts'), { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), place.path(file));
    place.write('npm-cli.js', STUBBORN_NPM);
    const env = { ...process.env, npm_execpath: place.path('npm-cli.js') };
    const ready = spawn(process.execPath, [place.path('scripts/ready.mjs')], { cwd: place.folder, env });
    onTestFinished(() => void ready.kill('SIGKILL'));
    const stderr = text(ready.stderr);
    const npm = await vi.waitFor(() => {
      const pid = Number(readFileSync(place.path('npm.pid'), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    });
    ready.kill(signal);
    const [code] = (await once(ready, 'exit')) as [number];
    expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
    expect(await stderr).toContain('ready: npm ci was interrupted. Run the command again to continue.\n');
    expect(() => process.kill(npm, 0)).toThrow('ESRCH');
    expect(place.files()).not.toContain('.ready.lock');
  },
);
