import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitCommandLine } from '../model/command-line.ts';
import { ReelError } from '../model/errors.ts';
import { splitWindowsCommandLine } from '../model/windows-command-line.ts';

export interface EditorDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly temporaryFolder: string;
  readonly platform: string;
}

/** Opens a text in the user's editor, which uses the terminal in the meantime. */
export async function editOutside(text: string, deps: EditorDeps): Promise<string> {
  const { env, temporaryFolder, platform } = deps;
  const isWindows = platform === 'win32';
  const split = isWindows ? splitWindowsCommandLine : splitCommandLine;
  const [program = 'vi', ...args] = split(env.VISUAL || env.EDITOR || (isWindows ? 'notepad' : 'vi'));
  // Other users must not read the file, because held messages are not redacted.
  const folder = await mkdtemp(join(temporaryFolder, 'mcpreel-edit-'));
  try {
    const path = join(folder, 'message.json');
    await writeFile(path, `${text}\n`, { mode: 0o600 });
    await run(program, [...args, path], isWindows);
    return await readFile(path, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(program: string, args: readonly string[], isWindows: boolean): Promise<void> {
  const child = isWindows ? await startOnWindows(program, args) : spawn(program, args, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      reject(
        new ReelError('usage', `Cannot start ${program}.`, { hint: 'Set VISUAL or EDITOR to your editor.', cause }),
      );
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new ReelError('usage', `${program} failed. Nothing was changed.`));
    });
  });
}

/** On Windows many editors are scripts (`code.cmd`), which the system cannot start directly. */
async function startOnWindows(program: string, args: readonly string[]): Promise<ChildProcess> {
  const { default: crossSpawn } = await import('cross-spawn');
  return crossSpawn(program, [...args], { stdio: 'inherit' });
}
