// Runs other programs for the scripts in this folder.
import { spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The command line of a program from a package in node_modules. */
export const tool = (path) => [process.execPath, join(root, 'node_modules', path)];

/** The command line of npm: the npm that runs this process, else the one on PATH. */
export function npm() {
  const own = process.env.npm_execpath ?? '';
  return basename(own) === 'npm-cli.js' ? [process.execPath, own] : ['npm'];
}

/** npm passes its flags to scripts. Flags that change where or what an inner npm installs must not reach it. */
export function npmEnvironment() {
  const misleading =
    /^npm_config_(global|location|prefix|omit|only|production|dry_run|package_lock_only|workspaces?)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !misleading.test(name)));
}

/** Runs a command until it exits. `failure` is undefined on success; the promise never rejects. */
export function run(
  [command, ...args],
  { cwd = root, env = process.env, input = '', timeoutMs = 0, show = false, onStart = () => {} } = {},
) {
  return new Promise((resolve) => {
    // npm is a batch file on Windows, which only a shell can start.
    const shell = process.platform === 'win32' && !command.endsWith('.exe');
    const stdio = show ? 'inherit' : 'pipe';
    const child = spawn(command, args, { cwd, env, shell, timeout: timeoutMs, stdio });
    onStart(child);
    const all = [];
    const out = [];
    const result = (failure) => ({ failure, stdout: String(Buffer.concat(out)), output: String(Buffer.concat(all)) });
    child.stdout?.on('data', (chunk) => all.push(chunk) && out.push(chunk));
    child.stderr?.on('data', (chunk) => all.push(chunk));
    // A program that exits without reading its input is judged by its exit code, not by the broken pipe.
    child.stdin?.on('error', () => {}).end(input);
    child.on('error', (error) => resolve(result(error.message)));
    child.on('close', (code, signal) => resolve(result(code === 0 ? undefined : `exit ${signal ?? code}`)));
  });
}
