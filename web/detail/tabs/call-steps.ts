import { numberText } from '../../../src/model/message-number.ts';
import type { EntryDetail } from '../../model/entry-detail.ts';
import type { EntryKey } from '../../model/entry-key.ts';
import type { RelatedEntries } from '../../model/related.ts';

/** A step of a call: a moment or a period. */
export interface CallStep {
  readonly key: EntryKey;
  readonly title: string;
  readonly words: string;
  readonly atMs: number;
  /** How long the step lasted; 0 for a moment. */
  readonly forMs: number;
  readonly kind: 'request' | 'answer' | 'moment' | 'nested' | 'human';
}

/** The steps of a call, from its request to its response. */
export function stepsOf({ request, answer, related }: EntryDetail): CallStep[] {
  if (request === undefined) return [];
  const { atMs } = request.entry;
  const whole = answer === undefined ? 0 : answer.entry.atMs - atMs;
  return [
    {
      key: request.key,
      title: 'request',
      words: numberText(request.entry.sequence),
      atMs,
      forMs: whole,
      kind: 'request',
    },
    ...related.map((one, index) => relatedStep(one, related.slice(index + 1))),
    ...(answer === undefined ? [] : [answerStep(answer)]),
  ];
}

function answerStep({ key, entry }: NonNullable<EntryDetail['answer']>): CallStep {
  return { key, title: 'response', words: numberText(entry.sequence), atMs: entry.atMs, forMs: 0, kind: 'answer' };
}

/** Besides input_required results, the only request that waits for a person. A model answers sampling requests. */
const ASKS_A_PERSON = 'elicitation/create';

function relatedStep({ row, why, words }: RelatedEntries, later: readonly RelatedEntries[]): CallStep {
  const { key, name, atMs, durationMs } = row;
  if (why === 'input') {
    const retry = later.find((one) => one.why === 'retry');
    return {
      key,
      title: 'input_required',
      words,
      atMs,
      forMs: retry === undefined ? 0 : retry.row.atMs - atMs,
      kind: 'human',
    };
  }
  if (why === 'request') {
    const kind = name === ASKS_A_PERSON ? 'human' : 'nested';
    return { key, title: name, words, atMs, forMs: durationMs ?? 0, kind };
  }
  return { key, title: why === 'retry' ? 'retry' : name, words, atMs, forMs: 0, kind: 'moment' };
}
