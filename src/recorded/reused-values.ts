import type { Difference } from '../analysis/diff/compare-answers.ts';
import { decodeString, encodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import type { BoundValues } from './bound-values.ts';
import type { ClientStep, DialogueMessage, RecordedDialogue } from './recorded-dialogue.ts';

/** What a name consists of, wherever it stands in a text. */
const WORDS = /[\p{L}\p{N}_./:@%-]+/gu;
const WORD = /[\p{L}\p{N}_-]/u;

/**
 * Knows which values of a recording the server made up and the client sent back. That such a value is another one now is
 * no change: the client sends back what it was given.
 */
export class ReusedValues {
  readonly #dialogue: RecordedDialogue;
  readonly #users = new Map<string, readonly ClientStep[]>();
  /** All words that the client has ever said: few values of answers are among them. */
  #clientWords: ReadonlySet<string> | undefined;

  constructor(dialogue: RecordedDialogue) {
    this.#dialogue = dialogue;
  }

  /** Whether the client sent a value back that the server had told it first. */
  has(value: string): boolean {
    return this.usersOf(value).length > 0;
  }

  /** Whether what differs between two values was sent back, and is sent back as it is now. */
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

  /** The steps that send a value back. What the client said first is its own, and counts for none. */
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

/** Whether a text has a value in it that is not part of a longer one. */
function standsIn(text: JsonText, value: string): boolean {
  const spelled = encodeString(value).slice(1, -1);
  for (let at = text.indexOf(spelled); at >= 0; at = text.indexOf(spelled, at + 1)) {
    if (!WORD.test(text.charAt(at - 1)) && !WORD.test(text.charAt(at + spelled.length))) return true;
  }
  return false;
}
