import { splitCommandLine } from '../model/command-line.ts';
import { type CommandRow, commandRows, shownRow } from './command-rows.ts';
import { shellNotes } from './command-shells.ts';

/** Where a replayed call would go: to a program or to a URL. */
export type QuestionedTarget =
  | {
      readonly command: readonly string[];
      readonly folder: string;
      /** The names of the variables that the recording asks for. */
      readonly variables: readonly string[];
    }
  | { readonly url: string };

/** The call that would be sent. The recording chooses its name. */
export interface QuestionedCall {
  readonly method: string;
  readonly name?: string | undefined;
}

/** What the user is asked before a call is replayed. The page and the terminal show the same. */
export interface ReplayQuestion {
  readonly heading: string;
  /** What the user must know about it. */
  readonly notes: readonly string[];
  /** The command word by word with its folder and variables, or the URL; and the call. */
  readonly rows: readonly CommandRow[];
  /** What to enter before the call can be sent, if the recording is not one of this user's own. */
  readonly retype: string | undefined;
}

/** The mark of a recording that is not this user's own. */
const FOREIGN = 'Somebody else may have made this recording: it was imported, renamed, or is outside the state folder.';

/** Builds the question. `isOwn` tells whether mcpreel made the recording here. */
export function replayQuestion(target: QuestionedTarget, call: QuestionedCall, isOwn: boolean): ReplayQuestion {
  const isProgram = 'command' in target;
  const what = isProgram ? 'command' : 'URL';
  return {
    heading: 'Replay this call in a new session.',
    notes: [
      ...(isProgram ? shellNotes(target.command) : []),
      ...(call.method === 'tools/call' ? ['Side effects will happen again.'] : []),
      ...(isOwn ? [] : [`${FOREIGN} Type the ${what} to confirm it.`]),
    ],
    rows: [...targetRows(target), shownRow('call', call.name ?? call.method)],
    retype: isOwn ? undefined : `Type or paste the ${what}${isProgram ? ', as one line or one word per line' : ''}`,
  };
}

function targetRows(target: QuestionedTarget): CommandRow[] {
  if (!('command' in target)) return [shownRow('URL', target.url)];
  const { command, folder, variables } = target;
  return [...commandRows(command), shownRow('in', folder), ...variables.map((name) => shownRow('env', name))];
}

/** Whether the user entered this very command or URL. */
export function isRetyped(typed: string, target: QuestionedTarget): boolean {
  if (!('command' in target)) return typed.trim() === target.url;
  const { command } = target;
  // Copied from the page, each word is on a line of its own.
  const lines = typed.replaceAll('\r\n', '\n').replace(/\n$/, '');
  return lines === command.join('\n') || isSame(wordsIn(typed), command);
}

function wordsIn(line: string): readonly string[] {
  try {
    return splitCommandLine(line);
  } catch {
    return [];
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
