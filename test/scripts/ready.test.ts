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

/** The scripts of a clone, and an environment in which they run this instead of npm. */
function cloneWith(npm: string): { place: Place; env: NodeJS.ProcessEnv } {
  const place = new Place();
  cpSync(join(root, 'scripts'), place.path('scripts'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), place.path(file));
  place.write('npm-cli.js', npm);
  return { place, env: { ...process.env, npm_execpath: place.path('npm-cli.js') } };
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  'stops an install on %s before it exits, so that the next run can start',
  skipOnWindows('signals of POSIX'),
  async (signal) => {
    const { place, env } = cloneWith(STUBBORN_NPM);
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

/** Notes the words that it was called with, and fails. */
const NOTING_NPM = `
import { writeFileSync } from 'node:fs';
writeFileSync('npm.json', JSON.stringify(process.argv.slice(2)));
process.exitCode = 9;`;

it.each(['start', 'check'])(
  '%s installs everything by itself, because npm may skip scripts before it',
  async (name) => {
    const { place, env } = cloneWith(NOTING_NPM);
    const script = spawn(process.execPath, [place.path(`scripts/${name}.mjs`)], { cwd: place.folder, env });
    const stderr = text(script.stderr);
    expect(await once(script, 'exit')).toEqual([1, null]);
    expect(await stderr).toMatch(/^ready: npm ci failed \(exit 9\)\n$/m);
    const kinds = ['--include=dev', '--include=optional', '--include=peer'];
    expect(JSON.parse(readFileSync(place.path('npm.json'), 'utf8'))).toEqual([
      'ci',
      ...kinds,
      '--no-audit',
      '--no-fund',
    ]);
  },
);

it('says that an install was interrupted if Ctrl-C reached only npm', skipOnWindows('signals of POSIX'), async () => {
  const { place, env } = cloneWith("process.kill(process.pid, 'SIGINT');");
  const script = spawn(process.execPath, [place.path('scripts/ready.mjs')], { cwd: place.folder, env });
  const stderr = text(script.stderr);
  expect(await once(script, 'exit')).toEqual([130, null]);
  expect(await stderr).toContain('ready: npm ci was interrupted. Run the command again to continue.\n');
});
