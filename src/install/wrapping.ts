import { isAbsolute, join, win32 } from 'node:path';

/** What a client has to run to have a server recorded: a program and its first words. */
export interface RecorderCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A command line that runs mcpreel already. */
export interface ServerWrapping {
  /** Which word is the server's own program, if there is one behind `--`. */
  readonly serverAt: number | undefined;
  /** Whether the words are those that `install` writes; people rarely do. */
  readonly isOurs: boolean;
}

export interface RecorderProgram {
  readonly programFolder: string;
  /** Where the Node is that runs this program. */
  readonly node: string;
  readonly version: string;
  readonly platform: string;
}

/** Folders that package runners clear away at any time. */
const PASSING_FOLDER = /[\\/](_npx|dlx(-[^\\/]*)?|bunx-[^\\/]*|xfs-[^\\/]*)[\\/]/;

/** Whether a program runs from a folder to which npx or the like downloaded it. */
export function isCachedByRunner(programFolder: string): boolean {
  return PASSING_FOLDER.test(programFolder);
}

/** How to run this very program later, from anywhere. */
export function recorderFor({ programFolder, node, version, platform }: RecorderProgram): RecorderCommand {
  if (!isCachedByRunner(programFolder)) return { command: node, args: [join(programFolder, 'mcpreel.cjs')] };
  const npx = ['-y', `mcpreel@${version}`];
  // npx is a script there, which clients cannot start that use no shell.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...npx] } : { command: 'npx', args: npx };
}

/** The words before the server's own in the command line that records it. */
export function wordsBefore(recorder: RecorderCommand, name: string, flags: readonly string[]): string[] {
  // As a word of its own, a name with a dash would be taken for a flag.
  const label = name.startsWith('-') ? [`--label=${name}`] : ['--label', name];
  return [recorder.command, ...recorder.args, ...(name === '' ? [] : label), ...flags, '--'];
}

const RUNNER = /^(node|npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|cmd|sh|bash|zsh|env)(\.exe|\.cmd)?$/i;
const MCPREEL = /(^|[\\/\s])mcpreel(@[\w.^~*-]+)?(\.(c?js|cmd|exe|ps1))?($|\s)/;

/** Whether a command line runs mcpreel, directly or by Node, npx or a shell, and where its server begins. */
export function readWrapping(words: readonly string[]): ServerWrapping | undefined {
  const [program = ''] = words;
  const separator = words.indexOf('--');
  const head = separator < 0 ? words : words.slice(0, separator);
  const at = RUNNER.test(win32.basename(program)) ? head.findIndex((word) => MCPREEL.test(word)) : -1;
  const runs = MCPREEL.test(program) ? 0 : at;
  if (runs < 0) return undefined;
  const hasServer = separator >= 0 && separator + 1 < words.length;
  const isOurs = hasServer && isOurRecorder(words.slice(0, runs + 1)) && /^--label(=|$)/.test(words[runs + 1] ?? '');
  return { serverAt: hasServer ? separator + 1 : undefined, isOurs };
}

function isOurRecorder(words: readonly string[]): boolean {
  const runsInCmd = words[0] === 'cmd' && words[1] === '/c';
  const own = runsInCmd ? words.slice(2) : words;
  const [first = '', second = '', third = ''] = own;
  const isPlace = (path: string): boolean => isAbsolute(path) || win32.isAbsolute(path);
  return own.length === 3
    ? first === 'npx' && second === '-y' && /^mcpreel@\d/.test(third)
    : own.length === 2 && !runsInCmd && isPlace(first) && isPlace(second);
}
