import { describe, expect, it } from 'vitest';
import { ownCommand } from './own-command.ts';

interface Situation {
  readonly programFolder: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly platform?: NodeJS.Platform;
  /** The files that exist. */
  readonly files?: readonly string[];
}

function typed({ programFolder, cwd = '/home/me', env = {}, platform = 'linux', files = [] }: Situation): string {
  return ownCommand({ programFolder, cwd: () => cwd, env, platform }, (path) => files.includes(path));
}

const clone = { programFolder: '/home/me/mcpreel/dist', cwd: '/home/me/mcpreel' };
const npmStart = { npm_lifecycle_event: 'start', npm_package_json: '/home/me/mcpreel/package.json' };
const onPath = { env: { PATH: '/usr/bin:/usr/local/bin' }, files: ['/usr/local/bin/mcpreel'] };
const project = '/home/me/app/node_modules/mcpreel/dist';

describe('the command shown to the user', () => {
  it('the command is npm start in a clone that was run with npm start', () => {
    expect(typed({ ...clone, ...onPath, env: { ...onPath.env, ...npmStart } })).toBe('npm start --');
  });

  it('names the clone where npm start --prefix was typed elsewhere', () => {
    expect(typed({ ...clone, cwd: '/home/me/mcpreel/docs', env: npmStart })).toBe('npm start --');
    expect(typed({ ...clone, cwd: '/home/me', env: npmStart })).toBe('npm --prefix /home/me/mcpreel start --');
  });

  it('the command is not npm start if the start script belongs to another package', () => {
    const env = { npm_lifecycle_event: 'start', npm_package_json: '/home/me/app/package.json' };
    expect(typed({ programFolder: project, cwd: '/home/me/app', env })).toBe('npx mcpreel');
  });

  it('the command is node with the built file in a clone', () => {
    expect(typed(clone)).toBe('node dist/mcpreel.cjs');
    expect(typed({ ...clone, cwd: '/tmp' })).toBe('node /home/me/mcpreel/dist/mcpreel.cjs');
    expect(typed({ programFolder: '/home/me/my reel/dist', cwd: '/tmp' })).toBe(
      "node '/home/me/my reel/dist/mcpreel.cjs'",
    );
  });

  it('the command is node with the built file on Windows, where PowerShell drops the -- of npm start', () => {
    const windows = { programFolder: 'C:\\mcpreel\\dist', platform: 'win32' as const };
    const env = { npm_lifecycle_event: 'start', npm_package_json: 'C:\\mcpreel\\package.json' };
    expect(typed({ ...windows, cwd: 'C:\\mcpreel', env })).toBe('node dist\\mcpreel.cjs');
    expect(typed({ ...windows, programFolder: 'D:\\my reel\\dist', cwd: 'C:\\', env })).toBe(
      'node "D:\\my reel\\dist\\mcpreel.cjs"',
    );
  });

  it('the command is mcpreel if it is installed on PATH', () => {
    expect(typed({ programFolder: '/usr/local/lib/node_modules/mcpreel/dist', ...onPath })).toBe('mcpreel');
    const programFolder = 'C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\mcpreel\\dist';
    const env = { Path: 'C:\\Windows;C:\\Users\\me\\AppData\\Roaming\\npm' };
    const files = ['C:\\Users\\me\\AppData\\Roaming\\npm\\mcpreel.cmd'];
    expect(typed({ programFolder, env, files, platform: 'win32', cwd: 'C:\\' })).toBe('mcpreel');
  });

  it('the command is npx mcpreel if npx downloaded it', () => {
    const programFolder = '/home/me/.npm/_npx/7a1b/node_modules/mcpreel/dist';
    const env = { PATH: '/home/me/.npm/_npx/7a1b/node_modules/.bin:/usr/bin' };
    const files = ['/home/me/.npm/_npx/7a1b/node_modules/.bin/mcpreel'];
    expect(typed({ programFolder, env, files })).toBe('npx mcpreel');
  });

  it('the command is npx mcpreel in a project that has it installed, and node elsewhere', () => {
    const env = { PATH: '/home/me/app/node_modules/.bin:/usr/bin' };
    const files = ['/home/me/app/node_modules/.bin/mcpreel'];
    expect(typed({ programFolder: project, cwd: '/home/me/app/src', env, files })).toBe('npx mcpreel');
    expect(typed({ programFolder: project, cwd: '/tmp', env, files })).toBe(`node ${project}/mcpreel.cjs`);
  });

  it.each([
    ['pnpm/12.0.0 npm/? node/v24.0.0 linux x64', 'pnpm dlx mcpreel', 'pnpm exec mcpreel'],
    ['yarn/4.0.0 npm/? node/v24.0.0 linux x64', 'yarn dlx mcpreel', 'yarn run mcpreel'],
    ['bun/1.4.0 npm/? node/v24.0.0 linux x64', 'bunx mcpreel', 'bunx mcpreel'],
  ])('the command uses the package manager that runs it: %s', (agent, downloaded, installed) => {
    const env = { npm_config_user_agent: agent };
    expect(typed({ programFolder: '/tmp/dlx-1/node_modules/mcpreel/dist', env })).toBe(downloaded);
    expect(typed({ programFolder: project, cwd: '/home/me/app', env })).toBe(installed);
  });
});
