import { isAbsolute, join, win32 } from 'node:path';

/** The command that a client runs to record a server: a program and its first arguments. */
export interface RecorderCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A command line that already runs mcpreel. */
export interface ServerWrapping {
  /** The index of the server's program, if there is one after `--`. */
  readonly serverAt: number | undefined;
  /** Whether the words match those that `mcpreel install` writes. Users rarely write them that way. */
  readonly isOurs: boolean;
}

export interface RecorderProgram {
  readonly programFolder: string;
  /** The path of the Node executable that runs mcpreel. */
  readonly node: string;
  readonly version: string;
  readonly platform: string;
}

/** Matches folders that package runners may delete at any time. */
const PASSING_FOLDER = /[\\/](_npx|dlx(-[^\\/]*)?|bunx-[^\\/]*|xfs-[^\\/]*)[\\/]/;

/** Returns whether a program runs from the download cache of npx or a similar runner. */
export function isCachedByRunner(programFolder: string): boolean {
  return PASSING_FOLDER.test(programFolder);
}

/** Returns the command that runs this installation of mcpreel later, from any folder. */
export function recorderFor({ programFolder, node, version, platform }: RecorderProgram): RecorderCommand {
  if (!isCachedByRunner(programFolder)) return { command: node, args: [join(programFolder, 'mcpreel.cjs')] };
  const npx = ['-y', `mcpreel@${version}`];
  // On Windows, npx is a script, and clients that do not use a shell cannot start it.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...npx] } : { command: 'npx', args: npx };
}

/** Returns the words that precede the server's own command line. */
export function wordsBefore(recorder: RecorderCommand, name: string, flags: readonly string[]): string[] {
  // As a separate word, a name that begins with a dash would be parsed as a flag.
  const label = name.startsWith('-') ? [`--label=${name}`] : ['--label', name];
  return [recorder.command, ...recorder.args, ...(name === '' ? [] : label), ...flags, '--'];
}

const RUNNER = /^(node|npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|cmd|sh|bash|zsh|env)(\.exe|\.cmd)?$/i;
const MCPREEL = /(^|[\\/\s])mcpreel(@[\w.^~*-]+)?(\.(c?js|cmd|exe|ps1))?($|\s)/;

/**
 * Checks whether a command line runs mcpreel, directly or through Node, npx or a shell, and where its server begins.
 */
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
