import { SHELLS } from './code-interpreters.ts';
import type { CodeRunner } from './code-runner.ts';
import { CODE_VARIABLES, RUNNERS } from './code-runners.ts';

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
const CODE_MODULES = /^(?:timeit|pdb|IPython|asyncio|code|idlelib)$/;

function isStandardInput(word: string): boolean {
  return /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(word);
}

/**
 * Names what runs code in the command that begins at this word. While the words of a command are searched, `judged` has
 * the beginnings that were judged before.
 */
function nameRunners(words: readonly string[], start: number, notes: Set<string>, judged?: Set<number>): void {
  let at = start;
  // The name of the program, with its task if it has any.
  let name = programName(words[at] ?? '');
  while (notes.size < MAX_NOTES) {
    const runner = runnerOf(name);
    if (runner === undefined || judged?.has(at) === true) return;
    judged?.add(at);
    const { operand, isCode, entry, unknown, readsInput } = readOptions(words, at, name, runner, notes);
    const word = words[operand];
    const isInterpreter = runner.operand === 'file' && runner.isAnywhere !== true;
    if (word === undefined && !isCode && isShell(name)) {
      notes.add(`${name} is a shell: it runs the commands in its arguments.`);
    }
    if (unknown !== undefined && !isCode && (isInterpreter || (runner.operand === 'script' && word === undefined))) {
      const option = shownOption(words[unknown] ?? '');
      notes.add(`${name} ${option} is not an option that mcpreel knows: what follows may be ${runner.what}.`);
    }
    if (unknown !== undefined && (runner.operand === 'command' || runner.operand === 'task')) {
      if (judged === undefined) searchCommands(words, unknown + 1, name, notes);
      return;
    }
    if (word === undefined || isCode) return;
    if (word.includes('data:') && isInterpreter) notes.add(`${name} runs word ${operand + 1} as ${runner.what}.`);
    else if (runner.operand === 'script' || name === 'xargs') {
      notes.add(`${name} runs word ${operand + 1} and the following ones as ${runner.what}.`);
    }
    if (isInterpreter && (readsInput || isStandardInput(word))) {
      notes.add(`${name} runs its standard input as ${runner.what}: the messages that are sent to it.`);
    }
    if (runner.operand === 'file' && MODULE.test(word) && CODE_MODULES.test(words[operand + 1] ?? '')) {
      notes.add(`${name} ${word} ${words[operand + 1]} runs the words after word ${operand + 2} as ${runner.what}.`);
    }
    const isScriptOfOurs = runner.operand === 'file' && OWN_SCRIPT.test(word);
    if (!isScriptOfOurs && (runner.operand === 'file' || runner.operand === 'script')) return;
    at = operand;
    const task = `${name} ${word}`;
    // `yarn node` runs a program of that name.
    if (runner.operand === 'task' && runnerOf(task) !== undefined) name = task;
    else name = isScriptOfOurs ? 'mcpreel' : programName(entry ?? word);
  }
}

/** Longer commands are named as a whole. */
const MAX_SEARCHED = 500;
const MAX_COMMANDS = 10;

/** Judges each word that may be the program, behind an option that may have a value or not. */
function searchCommands(words: readonly string[], start: number, name: string, notes: Set<string>): void {
  const judged = new Set<number>();
  let commands = 0;
  for (let at = start; at < words.length && notes.size < MAX_NOTES; at++) {
    const isLong = at - start >= MAX_SEARCHED || commands >= MAX_COMMANDS;
    if (!isLong && runnerOf(programName(words[at] ?? '')) === undefined) continue;
    if (isLong) {
      notes.add(`${name} may run any of the words after word ${start} as a command.`);
      return;
    }
    nameRunners(words, at, notes, judged);
    commands += 1;
  }
}

function runnerOf(name: string): CodeRunner | undefined {
  const plain = name.replace(BUILD, '');
  return RUNNERS.find(({ program }) => program.test(name)) ?? RUNNERS.find(({ program }) => program.test(plain));
}

function isShell(name: string): boolean {
  return SHELLS.test(name.replace(BUILD, '')) || /^(?:cmd|powershell|pwsh)$/.test(name);
}

/** The version or the kind of a build at the end of a program's name. */
const BUILD = /-(?:v?\d[\w.]*|intel64|x86_64.*|amd64|arm64|aarch64|i[3-6]86|static|dbg|debug)$/;

interface ReadOptions {
  /** The index of the operand that counts. */
  readonly operand: number;
  /** Whether an option already shows what is run instead. */
  readonly isCode: boolean;
  /** The program that an option puts in place of the one that the operand names. */
  readonly entry: string | undefined;
  /** The index of the first option that may or may not have a value. */
  readonly unknown: number | undefined;
  /** Whether an option lets a shell read commands from its standard input. */
  readonly readsInput: boolean;
}

/** Reads the options of a program, and names those with code. */
function readOptions(
  words: readonly string[],
  start: number,
  name: string,
  runner: CodeRunner,
  notes: Set<string>,
): ReadOptions {
  const { code, values, flags, input, entry: entryOption, option = /^-./, isAnywhere = false } = runner;
  let { skips = 0 } = runner;
  let operand: number | undefined;
  let entry: string | undefined;
  let unknown: number | undefined;
  let isCode = false;
  let readsInput = false;
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
      if (words[at]?.includes('data:') === true) notes.add(`${name} ${word} runs word ${at + 1} as ${runner.what}.`);
    } else if (runner.operand === 'command' && /^[A-Za-z_]\w*(?:%%)?=/.test(word)) {
      const variable = CODE_VARIABLES.exec(word)?.[0];
      if (variable !== undefined) notes.add(`Word ${at + 1} sets ${variable}, which makes programs run code.`);
    } else if (flags?.test(word) === true) {
      readsInput ||= input?.test(word) === true;
    } else if (!option.test(word)) {
      if (skips > 0) skips -= 1;
      else {
        operand = at;
        // Behind an option that may have a value, the operand may be that value.
        if (!isAnywhere && (unknown === undefined || code === undefined)) break;
      }
    } else if (runner.operand === 'file' || runner.operand === 'script' || !/^--?[a-z][\w-]*=/i.test(word))
      unknown ??= at;
    if (notes.size >= MAX_NOTES) break;
  }
  return { operand: operand ?? words.length, isCode, entry, unknown, readsInput };
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
  const shown = shownOption(word);
  // The code is in the word of the flag itself: `--eval=1`, `-e1`.
  if (flag.endsWith('=') || flag.length < word.length) {
    notes.add(`${name} ${shown} runs word ${at + 1} as ${what}.`);
    return;
  }
  notes.add(`${name} ${shown} runs word ${at + 2} and the following ones as ${what}.`);
  nameRunners(words, at + 1, notes);
}

function shownOption(word: string): string {
  return word.length > MAX_FLAG ? `${word.slice(0, MAX_FLAG)}…` : word;
}

/** No file has a longer name. */
const MAX_NAME = 255;

/** The name of a program without its folder, `.exe` and the version of a package. */
function programName(word: string): string {
  const file = (word.split(/[\\/]/).at(-1) ?? '').slice(0, MAX_NAME);
  const name = file.toLowerCase().replace(/[. ]+$/, '');
  return name.replace(/\.(?:exe|cmd|bat|com|ps1)$/, '').replace(/(?<=.)@.*$/, '');
}
