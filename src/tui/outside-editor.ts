import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitCommandLine } from '../model/command-line.ts';
import { ReelError } from '../model/errors.ts';
import { splitWindowsCommandLine } from '../model/windows-command-line.ts';

export interface EditorSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly temporaryFolder: string;
  readonly platform: string;
}

/** Has a text changed in the person's own editor, which has the terminal meanwhile. */
export async function editOutside(text: string, around: EditorSurroundings): Promise<string> {
  const { env, temporaryFolder, platform } = around;
  const [program = '', ...args] = editorOf(env, platform);
  // Others must not read it: what is held is not redacted.
  const folder = await mkdtemp(join(temporaryFolder, 'mcpreel-edit-'));
  try {
    const path = join(folder, 'message.json');
    await writeFile(path, `${text}\n`, { mode: 0o600 });
    await run(await starterFor(platform), program, [...args, path]);
    return await readFile(path, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The words of the editor's command line, by the rules of the platform on which it was set. */
function editorOf(env: EditorSurroundings['env'], platform: string): string[] {
  const line = env.VISUAL || env.EDITOR;
  if (platform === 'win32') return splitWindowsCommandLine(line || 'notepad');
  return splitCommandLine(line || 'vi');
}

type Starter = (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** On Windows many editors are started by a batch file, such as `code.cmd`, which the system itself cannot start. */
export async function starterFor(platform: string): Promise<Starter> {
  return platform === 'win32' ? (await import('cross-spawn')).default : spawn;
}

function run(start: Starter, program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = start(program, args, { stdio: 'inherit' });
    child.once('error', (cause) => {
      reject(
        new ReelError('usage', `Cannot start ${program}.`, { hint: 'Set VISUAL or EDITOR to your editor.', cause }),
      );
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new ReelError('usage', `${program} failed: nothing was changed.`));
    });
  });
}
