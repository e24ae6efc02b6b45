import { splitCommandLine } from './command-line.ts';
import { isRedacted, withoutDigits } from './placeholder.ts';
import { type Runner, runnerOf } from './runners.ts';

/** Names that many servers share. The folder that contains them says more. */
const GENERIC = /^(index|main|__main__|server|mcp[-_]server|mcp|app|cli|start|dev|serve|run|stdio|cmd|program)$/i;
const GENERIC_FOLDER =
  /^(\.*|build|dist|src|lib|bin|out|app|server|esm|cjs|target|release|debug|cmd|node_modules|cargo\.toml|\w:)$/i;

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** How many programs may run one another, so that hostile commands end. */
const MAX_DEPTH = 10;

/**
 * Derives a short display name for a target: its host, or its package, image, module or program without scope, folder,
 * version, extension and `server-`. A redacted word never names it, so that each run has the same label.
 */
export function defaultLabel(command: readonly string[], url?: string): string {
  if (url !== undefined && URL.canParse(url)) return new URL(url).host || 'session';
  return labelOf(command, undefined, 0) || 'session';
}

function labelOf(command: readonly string[], folder: string | undefined, depth: number): string {
  const [program, ...args] = command;
  if (program === undefined) return '';
  if (ASSIGNMENT.test(program)) {
    const at = command.findIndex((word) => !ASSIGNMENT.test(word));
    return at < 0 ? '' : labelOf(command.slice(at), folder, depth);
  }
  const name = programName(program);
  const runner = depth < MAX_DEPTH ? runnerOf(name) : undefined;
  if (isRedacted(program)) return '';
  if (runner === undefined) return targetName(program, folder);
  return targetOf(runner, { name, args, folder, depth }) || targetName(program, folder);
}

interface RunnerCall {
  readonly name: string;
  readonly args: readonly string[];
  readonly folder: string | undefined;
  readonly depth: number;
}

/** The label of what a runner runs; empty if the arguments do not name it. */
function targetOf(runner: Runner, { name, args, folder: outer, depth }: RunnerCall): string {
  let folder = outer;
  let pack = '';
  const deeper = (command: readonly string[]): string => labelOf(command, folder, depth + 1);
  const host = runner.isRemote ? hostAmong(args, runner) : undefined;
  if (host !== undefined) return host;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const [, option = arg, attached] = /^(--?[\w-]+)=(.*)$/s.exec(arg) ?? [];
    const value = attached ?? args[at + 1];
    if (arg === '--') return deeper(args.slice(at + 1)) || pack;
    if (runner.code?.test(option)) {
      if (!runner.isShell) return value === undefined ? '' : `${name}-${hashOf(withoutDigits(value))}`;
      const words = attached === undefined ? args.slice(at + 1) : [attached];
      return deeper(lastCommand(words)) || pack;
    }
    const takesValue = runner.target?.test(option)
      ? 'target'
      : runner.pack?.test(option)
        ? 'pack'
        : runner.folder?.test(option) && 'folder';
    if (takesValue === 'target') return value === undefined || isRedacted(value) ? '' : targetName(value, folder);
    if (takesValue === 'pack') pack = value === undefined || isRedacted(value) ? '' : targetName(value, undefined);
    if (takesValue === 'folder') folder = value;
    const isOption = /^[-+].|^\/[a-z]$/i.test(arg);
    const hasValue = takesValue || (isOption && runner.valued(option));
    if (hasValue && attached === undefined) at++;
    else if (isOption || hasValue || ASSIGNMENT.test(arg)) continue;
    else if (runner.words?.test(arg) || /^\d+[smhd]?$/.test(arg)) continue;
    else if (isRedacted(arg) || HEADER.test(arg)) continue;
    else return firstLabel(runner, args.slice(at), deeper) || pack;
  }
  return pack || (folder === undefined ? '' : folderName(folder));
}

/** The label of a runner's first argument, with those behind it. */
function firstLabel(
  { first }: Runner,
  words: readonly string[],
  deeper: (command: readonly string[]) => string,
): string {
  const [name = '', ...command] = words;
  switch (first) {
    case 'image': {
      // A command in an image of a language says more than the image.
      const image = baseName(name).replace(/[:@].*$/s, '');
      const isCommand = command[0] !== undefined && !command[0].startsWith('-');
      return runnerOf(image) !== undefined && isCommand ? deeper(command) : targetName(image, undefined);
    }
    case 'flake': {
      const at = command.findIndex((word) => /^(-c|--command)$/.test(word));
      return at < 0 ? targetName(name.replace(/^.*#(?=.)/s, ''), undefined) : deeper(command.slice(at + 1));
    }
    case 'place': {
      const from = command.indexOf('--') + 1;
      const host = targetName(name.replace(/^.*@/s, ''), undefined);
      return (command[from]?.startsWith('-') ? '' : deeper(lastCommand(command.slice(from)))) || host;
    }
    default:
      return deeper(words);
  }
}

/** The host of the address that a remote client connects to. It is not the value of an option, but of those that name it. */
function hostAmong(args: readonly string[], { code, valued }: Runner): string | undefined {
  if (args.some((arg) => code?.test(arg.replace(/=.*$/s, '')))) return undefined;
  const hosts = args.flatMap((arg, at) => {
    const [, option, address = arg] = /^(--[\w-]+)=(.*)$/s.exec(arg) ?? [];
    const before = option ?? args[at - 1] ?? '';
    const isValue = before.startsWith('-') && valued(before) && !ADDRESS_OPTION.test(before);
    if (isValue || isRedacted(address) || !/^(https?|wss?):\/\//i.test(address)) return [];
    return URL.canParse(address) ? [new URL(address).host] : [];
  });
  return hosts.find((host) => host !== '');
}

/** Options of remote clients that are followed by the server's address. */
const ADDRESS_OPTION = /^--?(sse|(streamable-?)?http|ws|url|server(-url)?|remote|endpoint|target)$/i;
/** A header as it follows an option. A name with a drive, a tag or a port has no space and no variable behind its colon. */
const HEADER = /^[A-Za-z][\w-]*:(\s|\$)/;

/** The words of the last command in a command line. */
function lastCommand(line: readonly string[]): readonly string[] {
  const [only = ''] = line;
  if (line.length > 1) return line;
  const commands = only.split(/&&|\|\||;|\n/).map((part) => part.replace(/\|.*$/s, '').trim());
  const last = commands.findLast((part) => part !== '' && !part.startsWith('#')) ?? '';
  return wordsOf(last);
}

function wordsOf(line: string): readonly string[] {
  // A backslash separates folders there.
  if (/\b[A-Za-z]:\\/.test(line)) return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  try {
    return splitCommandLine(line);
  } catch {
    return line.split(/\s+/);
  }
}

/** Names a program, package, script or image, or its folder or host if that says more. */
function targetName(word: string, folder: string | undefined): string {
  if (/^https?:\/\//i.test(word) && URL.canParse(word) && !/\.(git|tgz|[mc]?[jt]s|py)\b/i.test(word)) {
    return new URL(word).host;
  }
  const path = word.replace(/^(npm|jsr|github|gitlab|file):/i, '').replace(/#.*$/s, '');
  const name = shortName(path);
  if (name !== '' && !GENERIC.test(name)) return name;
  const parents = path.split(/[\\/]/).slice(0, -1);
  const parent = parents.findLast((part) => !GENERIC_FOLDER.test(part));
  return shortName(parent?.replace(/^@/, '') ?? '') || (folder === undefined ? '' : folderName(folder)) || name;
}

function folderName(folder: string): string {
  const named = folder.split(/[\\/]/).findLast((part) => !GENERIC_FOLDER.test(part)) ?? '';
  return shortName(named);
}

function shortName(path: string): string {
  return baseName(path)
    .replace(/(?<=.)(@[^@]*|[=<>~!]=.*|\[.*)$/s, '')
    .replace(/(?<=.)\[.*$/s, '')
    .replace(/(?<=\.py):\w+$/, '')
    .replace(/\.(m?[jt]s|c[jt]s|[jt]sx|py|rb|php|pl|sh|ps1|exe|cmd|bat|jar|dll|csproj|git|tgz|tar\.gz)$/i, '')
    .replace(/^(mcp-)?server-(?=.)/, '');
}

/** The name of a program or package without folder, extension and version, but with its scope. */
function programName(path: string): string {
  const scope = /^(@[\w.-]+\/)[\w.@-]+$/.exec(path)?.[1] ?? '';
  return (
    scope +
    baseName(path)
      .replace(/(?<=.)@.*$/s, '')
      .replace(/\.(exe|cmd|bat|ps1)$/i, '')
  );
}

function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '' && part !== '.') ?? '';
}

/** A short hash (FNV-1a), which tells codes apart without showing them. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
