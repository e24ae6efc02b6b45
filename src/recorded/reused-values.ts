import type { Difference } from '../analysis/diff/compare-answers.ts';
import { decodeString, encodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import type { BoundValues } from './bound-values.ts';
import type { ClientStep, DialogueMessage, RecordedDialogue } from './recorded-dialogue.ts';

/** The characters of an identifier, wherever it occurs in a text. */
const WORDS = /[\p{L}\p{N}_./:@%-]+/gu;
const WORD = /[\p{L}\p{N}_-]/u;

/**
 * Knows which recorded values the server generated and the client sent back. A new value does not count as a
 * difference, because the client sends back whatever it received.
 */
export class ReusedValues {
  readonly #dialogue: RecordedDialogue;
  readonly #users = new Map<string, readonly ClientStep[]>();
  /** All words in the client's messages, for a quick check: few response values are among them. */
  #clientWords: ReadonlySet<string> | undefined;

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
    const [was, is] = [wordsIn(recorded), wordsIn(replayed)];
    const given = is.filter((word) => !was.includes(word));
    const taken = was.filter((word) => !is.includes(word));
    const isSentBack = (word: string): boolean =>
      this.usersOf(word).some(({ text, method }) => {
        const now = bound.toLive(text, method);
        return now !== text && given.some((other) => standsIn(now, other));
      });
    return taken.length > 0 && taken.every(isSentBack);
  }

  /** The steps that send a value back. Values that the client used first are left out. */
  usersOf(value: string): readonly ClientStep[] {
    const known = this.#users.get(value);
    if (known !== undefined) return known;
    const users = this.#mayBeSent(value) ? this.#findUsers(value) : [];
    this.#users.set(value, users);
    return users;
  }

  #findUsers(value: string): ClientStep[] {
    const isMention = ({ text }: DialogueMessage): boolean => standsIn(text, value);
    const { messages, steps } = this.#dialogue;
    return messages.find(isMention)?.from === 'server' ? steps.filter(isMention) : [];
  }

  #mayBeSent(value: string): boolean {
    this.#clientWords ??= new Set(this.#dialogue.steps.flatMap(({ text }) => text.match(WORDS) ?? []));
    const known = this.#clientWords;
    const words = value.match(WORDS) ?? [];
    return words.length > 0 && (words.some((word) => known.has(word)) || /[./:@%\\]/.test(value));
  }
}

function wordsIn(literal: JsonText): string[] {
  const text = literal.startsWith('"') ? decodeString(literal) : literal;
  return text.match(WORDS) ?? [];
}

/** Whether a text contains a value that is not part of a longer word. */
function standsIn(text: JsonText, value: string): boolean {
  const spelled = encodeString(value).slice(1, -1);
  for (let at = text.indexOf(spelled); at >= 0; at = text.indexOf(spelled, at + 1)) {
    if (!WORD.test(text.charAt(at - 1)) && !WORD.test(text.charAt(at + spelled.length))) return true;
  }
  return false;
}
