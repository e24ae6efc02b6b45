import { strengthOfName } from '../names/secret-names.ts';
import { kindOfName } from '../placeholder.ts';
import { type DetectedSpan, RANK } from './detector.ts';
import { findInHeader, isSecretHeader } from './header-values.ts';
import { isWritten } from './plausibility.ts';

/** Short options that take a password, by program. */
const SHORT_OPTIONS: Readonly<Record<string, RegExp>> = {
  mysql: /^-p(?=.)/,
  mysqldump: /^-p(?=.)/,
  mariadb: /^-p(?=.)/,
  sshpass: /^-p/,
  'redis-cli': /^-a/,
  mongosh: /^-p/,
  mongo: /^-p/,
  ldapsearch: /^-w/,
};
/** Options whose names are also used for other things, and are secrets on a command line. */
const SECRET_OPTION = /^(?:pat|key|auth|api|bearer|pass|credential|license)$/i;

/** Returns whether a word is a program that takes a password in a short option. */
export function takesPassword(word: string): boolean {
  return word.length <= MAX_PROGRAM && LAST_OF_PROGRAM.test(word) && Object.hasOwn(SHORT_OPTIONS, programName(word));
}

const MAX_PROGRAM = 256;
/** How the names of these programs end, which costs less to see than the whole name. */
const LAST_OF_PROGRAM = /(?:sql|dump|mariadb|pass|cli|mongo|mongosh|search)(?:\.exe)?$/i;

/**
 * Finds the spans to redact in each word of a command because of a name. These are the values of options (`--api-key K`,
 * `--token=T`), variables (`API_KEY=K`, `--env=API_KEY=K`) and headers (`X-Api-Key: K`).
 */
export function findInCommand(words: readonly string[]): readonly (readonly DetectedSpan[])[] {
  const programs = new Set(words.map(programName));
  const short = Object.entries(SHORT_OPTIONS).flatMap(([program, pattern]) => (programs.has(program) ? [pattern] : []));
  return words.map((word, index) => {
    const before = words[index - 1] ?? '';
    return (
      findInAssignment(word) ??
      findInHeaderWord(word) ??
      findAfterOption(before, word) ??
      findShort(short, before, word) ??
      findAfterUser(before, word) ??
      []
    );
  });
}

function findInAssignment(word: string): readonly DetectedSpan[] | undefined {
  const assignment = /^(?:--?env=|-e)?(--?)?([A-Za-z_][\w.-]{0,63})=/.exec(word);
  if (assignment?.[2] === undefined) return undefined;
  const isOption = assignment[1] !== undefined;
  return byName(assignment[2], word, assignment[0].length, isOption);
}

function findInHeaderWord(word: string): readonly DetectedSpan[] | undefined {
  const header = /^(?:-H|--header=)?([A-Za-z][\w-]{0,63}): */.exec(word);
  if (header?.[1] === undefined || !isSecretHeader(header[1])) return undefined;
  const lead = header[0].length;
  return findInHeader(header[1], word.slice(lead)).map(({ start, end, kind, rank }) => ({
    start: start + lead,
    end: end + lead,
    kind,
    rank,
  }));
}

function findAfterOption(before: string, word: string): readonly DetectedSpan[] | undefined {
  const option = /^--?([A-Za-z][\w.-]{1,63})$/.exec(before);
  return option?.[1] !== undefined && !word.startsWith('-') ? byName(option[1], word, 0, true) : undefined;
}

function findShort(options: readonly RegExp[], before: string, word: string): readonly DetectedSpan[] | undefined {
  for (const option of options) {
    const attached = option.exec(word)?.[0];
    if (attached !== undefined && word.length > attached.length)
      return wholeFrom(word, attached.length, 'command-password');
    if (attached === undefined && option.exec(before)?.[0] === before) return wholeFrom(word, 0, 'command-password');
  }
  return undefined;
}

/** `-u user:password`, as curl has it. */
function findAfterUser(before: string, word: string): readonly DetectedSpan[] | undefined {
  const colon = word.indexOf(':');
  if (!/^(?:-u|--(?:proxy-)?user)$/.test(before) || colon < 0 || /^\d+:\d+$/.test(word)) return undefined;
  return wholeFrom(word, colon + 1, 'command-password');
}

function byName(name: string, word: string, start: number, isOption: boolean): readonly DetectedSpan[] | undefined {
  const strength = strengthOfName(name);
  if (strength === undefined && !(isOption && SECRET_OPTION.test(name))) return undefined;
  if (strength === 'weak' && !(isOption && SECRET_OPTION.test(name))) return undefined;
  return wholeFrom(word, start, kindOfName(name));
}

function wholeFrom(word: string, start: number, kind: string): readonly DetectedSpan[] {
  const isSecret = start < word.length && isWritten(word.slice(start));
  return isSecret ? [{ start, end: word.length, kind, rank: RANK.context }] : [];
}

function programName(word: string): string {
  return word.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');
}
