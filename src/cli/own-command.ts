import { existsSync } from 'node:fs';
import { type PlatformPath, posix, win32 } from 'node:path';
import { isCachedByRunner } from '../install/wrapping.ts';
import { shellLine } from '../model/shell-line.ts';
import type { CommandContext } from './context.ts';

type OwnFacts = Pick<CommandContext, 'programFolder' | 'env' | 'platform' | 'cwd'>;

/** How each package manager runs a downloaded program, and one installed in the project. */
const RUNNERS: Readonly<Record<string, readonly [downloaded: string, installed: string]>> = {
  npm: ['npx mcpreel', 'npx mcpreel'],
  pnpm: ['pnpm dlx mcpreel', 'pnpm exec mcpreel'],
  yarn: ['yarn dlx mcpreel', 'yarn run mcpreel'],
  bun: ['bunx mcpreel', 'bunx mcpreel'],
};

/** The command to run this program again: `mcpreel`, `npx mcpreel`, `npm start --` or `node dist/mcpreel.cjs`. */
export function ownCommand(facts: OwnFacts, exists: (path: string) => boolean = existsSync): string {
  const { programFolder, env, platform } = facts;
  const path = pathOf(platform);
  if (isNpmStart(facts)) {
    // npm finds the package in the folders above. Elsewhere it has to be named.
    const clone = path.dirname(programFolder);
    return isWithin(facts.cwd(), clone, path)
      ? 'npm start --'
      : `${shellLine(['npm', '--prefix', clone, 'start'], platform)} --`;
  }
  const [manager = ''] = (env.npm_config_user_agent ?? '').split('/');
  const [downloaded, installed] = RUNNERS[manager] ?? ['npx mcpreel', 'npx mcpreel'];
  if (isCachedByRunner(programFolder)) return downloaded;
  if (isOnPath(facts, exists)) return 'mcpreel';
  const [project] = programFolder.split(/[\\/](?:node_modules|\.yarn)[\\/]/);
  const isInProject = project !== programFolder && isWithin(facts.cwd(), project ?? '', path);
  return isInProject ? installed : byNode(path.join(programFolder, 'mcpreel.cjs'), facts.cwd(), platform);
}

/** PowerShell removes the `--` of `npm start --` with some versions of npm, so Windows gets another command. */
function isNpmStart({ programFolder, env, platform }: OwnFacts): boolean {
  const { npm_lifecycle_event: script, npm_package_json: manifest } = env;
  return platform !== 'win32' && script === 'start' && manifest === posix.join(programFolder, '..', 'package.json');
}

/** Folders that package managers add to PATH do not count, because the user's shell does not have them. */
function isOnPath({ env, platform }: OwnFacts, exists: (path: string) => boolean): boolean {
  const path = pathOf(platform);
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders
    .filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .some((folder) => exists(path.join(folder, platform === 'win32' ? 'mcpreel.cmd' : 'mcpreel')));
}

function byNode(program: string, cwd: string, platform: string): string {
  const path = pathOf(platform);
  const shown = isWithin(program, cwd, path) ? path.relative(cwd, program) : program;
  return shellLine(['node', shown], platform);
}

function isWithin(inner: string, outer: string, path: PlatformPath): boolean {
  const way = path.relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

function pathOf(platform: string): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}
