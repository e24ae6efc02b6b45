import type { CallStatus } from '../../src/analysis/calls/call.ts';
import { ObjectView } from '../../src/json/object-view.ts';
import { MARK_GLYPHS, MARK_WORDS, marksOf, STATUS_GLYPHS } from '../../src/present/glyphs.ts';
import type { EntryDetail } from '../model/entry-detail.ts';
import { answeredIn } from './message-parts.ts';

type StatusTone = 'ok' | 'error' | 'waiting' | 'dim';

/** The outcome of a call, as text with a glyph. */
export interface StatusWords {
  readonly glyph: string;
  readonly words: string;
  readonly tone: StatusTone;
}

const TONES: Readonly<Record<CallStatus, StatusTone>> = {
  ok: 'ok',
  error: 'error',
  pending: 'waiting',
  cancelled: 'waiting',
  late: 'waiting',
  stream: 'dim',
};

/** The outcome of the call that an entry belongs to; `undefined` if it belongs to none. */
export function statusOf({ row, outcome, request, answer }: EntryDetail): StatusWords | undefined {
  if (request === undefined) return undefined;
  const status = outcome?.status ?? row.status ?? 'pending';
  const words = status === 'error' ? errorWords(answer) : status;
  return { glyph: STATUS_GLYPHS[status], words, tone: TONES[status] };
}

function errorWords(answer: EntryDetail['answer']): string {
  const answered = answer && answeredIn(answer.entry);
  if (answered?.kind === 'result') return 'tool error';
  const code = answered === undefined ? undefined : ObjectView.of(answered.text)?.textOf('code');
  return code === undefined ? 'error' : `error ${code.slice(0, 12)}`;
}

/** The marks of a message (edited, dropped, injected), each with its glyph. */
export function markWords({ entry }: EntryDetail): readonly string[] {
  if (entry.kind !== 'message') return [];
  return marksOf(entry).map((mark) => `${MARK_GLYPHS[mark]} ${MARK_WORDS[mark]}`);
}
