import { ObjectView } from '../../src/json/object-view.ts';
import type { EntryDetail } from '../engine/entry-detail.ts';
import { answeredIn } from './message-parts.ts';

/** How a call went, in words and with a glyph. */
export interface StatusWords {
  readonly glyph: string;
  readonly words: string;
  readonly tone: 'ok' | 'error' | 'waiting' | 'dim';
}

/** How the call went that an entry belongs to; `undefined` for what belongs to none. */
export function statusOf({ row, outcome, request, answer }: EntryDetail): StatusWords | undefined {
  if (request === undefined) return undefined;
  switch (outcome?.status ?? row.status ?? 'pending') {
    case 'ok':
      return { glyph: '✓', words: 'ok', tone: 'ok' };
    case 'error':
      return { glyph: '✕', words: errorWords(answer), tone: 'error' };
    case 'pending':
      return { glyph: '…', words: 'pending', tone: 'waiting' };
    case 'cancelled':
      return { glyph: '⊘', words: 'cancelled', tone: 'waiting' };
    case 'late':
      return { glyph: '⊘', words: 'late', tone: 'waiting' };
    case 'stream':
      return { glyph: '≈', words: 'stream', tone: 'dim' };
  }
}

function errorWords(answer: EntryDetail['answer']): string {
  const answered = answer && answeredIn(answer.entry);
  if (answered?.kind === 'result') return 'tool error';
  const code = answered === undefined ? undefined : ObjectView.of(answered.text)?.textOf('code');
  return code === undefined ? 'error' : `error ${code.slice(0, 12)}`;
}

/** What was done to a message on its way, with its glyph. */
export function marksOf({ entry }: EntryDetail): readonly string[] {
  if (entry.kind !== 'message') return [];
  return [
    ...(entry.modified ? ['✎ modified'] : []),
    ...(entry.dropped ? ['✕ dropped'] : []),
    ...(entry.injected ? ['+ injected'] : []),
  ];
}
