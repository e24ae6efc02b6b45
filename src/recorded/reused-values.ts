import type { Difference } from '../analysis/diff/compare-answers.ts';
import { decodeString, encodeString } from '../json/scan.ts';
import { visitPlaces } from './bound-places.ts';
import type { BoundValues } from './bound-values.ts';
import type { ClientStep, DialogueMessage, RecordedDialogue } from './recorded-dialogue.ts';
import { isAmount } from './value-bindings.ts';
import { runsIn, standsIn, textOf, wordsIn } from './words.ts';

/**
 * Knows which recorded values the server generated and the client sent back. A new value does not count as a
 * difference, because the client sends back whatever it received.
 */
export class ReusedValues {
  readonly #dialogue: RecordedDialogue;
  readonly #users = new Map<string, readonly ClientStep[]>();
  #index: WordIndex | undefined;

  constructor(dialogue: RecordedDialogue) {
    this.#dialogue = dialogue;
  }

  /** Whether the client sent back a value that first came from the server. */
  has(value: string): boolean {
    return this.usersOf(value).length > 0;
  }

  /** Whether a difference consists only of values that the client sends back, then and now. */
  explains({ recorded, replayed }: Difference, bound: BoundValues): boolean {
    if (recorded === undefined || replayed === undefined || /^[{[]/.test(recorded)) return false;
    const [was, is] = [wordsIn(textOf(recorded)), wordsIn(textOf(replayed))];
    const given = is.filter((word) => !was.includes(word));
    const taken = was.filter((word) => !is.includes(word));
    const isSentBack = (word: string): boolean =>
      this.usersOf(word).some(({ text, method }) => {
        const { text: now } = bound.toLive(text, method);
        return now !== text && given.some((other) => standsIn(now, encodeString(other).slice(1, -1)));
      });
    return taken.length > 0 && taken.every(isSentBack);
  }

  /** The steps that send a value back. Values that the client used first are left out. */
  usersOf(value: string): readonly ClientStep[] {
    const known = this.#users.get(value);
    if (known !== undefined) return known;
    this.#index ??= indexWords(this.#dialogue);
    const users = findUsers(value, this.#index);
    this.#users.set(value, users);
    return users;
  }
}

/** Where a word of the client's messages occurs. */
interface WordUse {
  readonly steps: ClientStep[];
  /** The side that used it first. */
  first: DialogueMessage['from'] | undefined;
}

type WordIndex = ReadonlyMap<string, WordUse>;

function indexWords({ messages, steps }: RecordedDialogue): WordIndex {
  const index = new Map<string, WordUse>();
  for (const step of steps) {
    forEachValue(step, true, (value) => {
      for (const { word } of runsIn(value)) {
        const use = index.get(word);
        if (use === undefined) index.set(word, { steps: [step], first: undefined });
        else if (use.steps.at(-1) !== step) use.steps.push(step);
      }
    });
  }
  for (const message of messages) {
    forEachValue(message, false, (value) => {
      for (const { word } of runsIn(value)) {
        const use = index.get(word);
        if (use !== undefined) use.first ??= message.from;
      }
    });
  }
  return index;
}

function findUsers(value: string, index: WordIndex): ClientStep[] {
  const uses = Array.from(runsIn(value), ({ word }) => index.get(word));
  let rarest: WordUse | undefined;
  for (const use of uses) {
    if (use === undefined) return [];
    if (rarest === undefined || use.steps.length < rarest.steps.length) rarest = use;
  }
  if (rarest === undefined || uses.every((use) => use?.first === 'client')) return [];
  return rarest.steps.filter((step) => {
    let isMentioned = false;
    forEachValue(step, true, (text) => {
      isMentioned ||= standsIn(text, value);
    });
    return isMentioned;
  });
}

/**
 * Visits the strings of a message, the numbers that look like identifiers, and the member names that may be ids. With
 * `all`, also the other numbers, unless they measure something.
 */
function forEachValue({ text }: DialogueMessage, all: boolean, visit: (value: string) => void): void {
  visitPlaces(text, {
    value: ({ kind, name, start, end }) => {
      const literal = text.slice(start, end);
      if (literal.startsWith('"')) visit(decodeString(literal));
      else if (kind !== undefined || (all && !isAmount(name, literal))) visit(literal);
    },
    key: (name) => {
      if (/\d/.test(name)) visit(name);
    },
  });
}
