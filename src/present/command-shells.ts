import type { CodeRunner } from './code-runner.ts';
import { CODE_VARIABLES, RUNNERS, SHELLS } from './code-runners.ts';

/** A hostile command may name a shell in each of its words. */
const MAX_NOTES = 20;
const MAX_FLAG = 40;

/**
 * Names what runs code from the arguments of a command: `sh -c`, `python -c`, `node -e` and the like, also behind `env`,
 * `sudo` or `docker run`. Returns a sentence for each.
 */
export function shellNotes(words: readonly string[]): string[] {
  const notes = new Set<string>();
  nameRunners(words, 0, notes);
  return [...notes];
}

/** This program as a script of Node.js, whose arguments contain another command. */
const OWN_SCRIPT = /(?:^|[\\/])mcpreel\.c?js$/;

const MODULE = /^-[A-Za-z]*m$/;

function isStandardInput(word: string): boolean {
  return /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(word);
}

/** Names what runs code in the command that begins at this word. */
function nameRunners(words: readonly string[], start: number, notes: Set<string>): void {
  let at = start;
  // The name of the program, with its task if it has any.
  let name = programName(words[at] ?? '');
  while (notes.size < MAX_NOTES) {
    const runner = RUNNERS.find(({ program }) => program.test(name));
    if (runner === undefined) return;
    const { operand, isCode, entry } = readOptions(words, at, name, runner, notes);
    const word = words[operand];
    if (word === undefined && !isCode && SHELLS.test(name)) {
      notes.add(`${name} is a shell: it runs the commands in its arguments.`);
    }
    if (word === undefined || isCode) return;
    if (word.startsWith('data:')) notes.add(`${name} runs word ${operand + 1} as ${runner.what}.`);
    else if (runner.operand === 'script' || name === 'xargs') {
      notes.add(`${name} runs word ${operand + 1} and the following ones as ${runner.what}.`);
    }
    if (runner.operand === 'file' && isStandardInput(word)) {
      notes.add(`${name} runs its standard input as ${runner.what}: the messages that are sent to it.`);
    }
    if (runner.operand === 'file' && MODULE.test(word) && words[operand + 1] === 'timeit') {
      notes.add(`${name} ${word} timeit runs the words after word ${operand + 2} as ${runner.what}.`);
    }
    const isScriptOfOurs = runner.operand === 'file' && OWN_SCRIPT.test(word);
    if (!isScriptOfOurs && (runner.operand === 'file' || runner.operand === 'script')) return;
    at = operand;
    name = runner.operand === 'task' ? `${name} ${word}` : isScriptOfOurs ? 'mcpreel' : programName(entry ?? word);
  }
}

interface ReadOptions {
  /** The index of the operand that counts. */
  readonly operand: number;
  /** Whether an option already says what is run instead. */
  readonly isCode: boolean;
  /** The program that an option puts in place of the one that the operand names. */
  readonly entry: string | undefined;
}

/** Reads the options of a program, and names those with code. */
function readOptions(
  words: readonly string[],
  start: number,
  name: string,
  runner: CodeRunner,
  notes: Set<string>,
): ReadOptions {
  const { code, values, entry: entryOption, option = /^-./, isAnywhere = false } = runner;
  let { skips = 0 } = runner;
  let operand: number | undefined;
  let entry: string | undefined;
  let isCode = false;
  for (let at = start + 1; at < words.length; at++) {
    const word = words[at] ?? '';
    const flag = code?.exec(word)?.[0];
    if (flag !== undefined) {
      noteCode(words, at, flag, name, runner, notes);
      isCode = true;
      if (!isAnywhere) break;
    } else if (skips > 0 && entryOption?.test(word) === true) {
      // The image is followed by arguments of the program, not by its name.
      skips = 0;
      entry = word.includes('=') ? word.slice(word.indexOf('=') + 1) : words[++at];
    } else if (operand !== undefined) {
      continue;
    } else if (word === '--') {
      operand = at + 1 + (Number.isFinite(skips) ? skips : 0);
      if (!isAnywhere) break;
    } else if (values?.test(word) === true) {
      at += 1;
      if (words[at]?.startsWith('data:') === true) notes.add(`${name} ${word} runs word ${at + 1} as ${runner.what}.`);
    } else if (runner.operand === 'command' && /^[A-Za-z_]\w*(?:%%)?=/.test(word)) {
      const variable = CODE_VARIABLES.exec(word)?.[0];
      if (variable !== undefined) notes.add(`Word ${at + 1} sets ${variable}, which makes programs run code.`);
    } else if (!option.test(word)) {
      if (skips > 0) skips -= 1;
      else {
        operand = at;
        if (!isAnywhere) break;
      }
    }
    if (notes.size >= MAX_NOTES) break;
  }
  return { operand: operand ?? words.length, isCode, entry };
}

/** Names an option with code. If the code is a command, that command is judged, too. */
function noteCode(
  words: readonly string[],
  at: number,
  flag: string,
  name: string,
  { what }: CodeRunner,
  notes: Set<string>,
): void {
  const word = words[at] ?? '';
  const shown = word.length > MAX_FLAG ? `${word.slice(0, MAX_FLAG)}…` : word;
  // The code is in the word of the flag itself: `--eval=1`, `-e1`.
  if (flag.endsWith('=') || flag.length < word.length) {
    notes.add(`${name} ${shown} runs word ${at + 1} as ${what}.`);
    return;
  }
  notes.add(`${name} ${shown} runs word ${at + 2} and the following ones as ${what}.`);
  nameRunners(words, at + 1, notes);
}

/** No file has a longer name. */
const MAX_NAME = 255;

/** The name of a program without its folder, `.exe` and the version of a package. */
function programName(word: string): string {
  const file = (word.split(/[\\/]/).at(-1) ?? '').slice(0, MAX_NAME);
  const name = file.toLowerCase().replace(/[. ]+$/, '');
  return name.replace(/\.(?:exe|cmd|bat|com|ps1)$/, '').replace(/(?<=.)@.*$/, '');
}
