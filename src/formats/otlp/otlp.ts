import { callsOf } from '../../analysis/calls/call-tracker.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { type FormatWriter, PIECE_LENGTH } from '../format.ts';
import { resourceText, spanText } from './otlp-span.ts';
import { surveySession } from './session-survey.ts';

/**
 * The maximum number of cancellation times to keep. A cancelled call's end may only become known long after its
 * cancellation.
 */
const MAX_CANCELLATIONS = 4096;

/** Writes OpenTelemetry spans, one per call, according to the semantic conventions for MCP. */
export const otlp: FormatWriter = {
  id: 'otlp',
  title: 'OpenTelemetry trace (OTLP/JSON)',
  loses: [
    'messages as sent',
    'messages other than calls',
    'times before 1970',
    'originals of edited messages',
    'events',
    'fields of other formats',
  ],
  write: writeOtlp,
};

/** One request to a collector. */
export interface OtlpRequest {
  readonly text: JsonText;
  readonly spans: number;
}

/** The maximum size of one request. A larger span is sent alone. */
export interface RequestLimits {
  readonly maxSpans?: number;
  readonly maxCharacters?: number;
}

/** Splits the spans of a session into requests that collectors accept. */
export async function* otlpRequests(
  session: RecordedSession,
  { maxSpans = 512, maxCharacters = 1 << 21 }: RequestLimits = {},
): AsyncGenerator<OtlpRequest> {
  const { open, close } = envelopeTexts(session);
  let spans: JsonText[] = [];
  let length = 0;
  for await (const span of spansOf(session)) {
    if (spans.length > 0 && (spans.length >= maxSpans || length + span.length > maxCharacters)) {
      yield { text: open + spans.join(',') + close, spans: spans.length };
      spans = [];
      length = 0;
    }
    spans.push(span);
    length += span.length;
  }
  if (spans.length > 0) yield { text: open + spans.join(',') + close, spans: spans.length };
}

async function* writeOtlp(session: RecordedSession): AsyncGenerator<string> {
  const { open, close } = envelopeTexts(session);
  let piece = '';
  let count = 0;
  for await (const span of spansOf(session)) {
    piece += (count++ === 0 ? open : ',') + span;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield count === 0 ? '{"resourceSpans":[]}\n' : `${piece}${close}\n`;
}

/** Returns the text around the spans. */
function envelopeTexts({ header }: RecordedSession): { readonly open: string; readonly close: string } {
  const scope = JSON.stringify({ name: 'mcpreel', version: __MCPREEL_VERSION__ });
  return {
    open: `{"resourceSpans":[{"resource":${resourceText(header)},"scopeSpans":[{"scope":${scope},"spans":[`,
    close: ']}]}]}',
  };
}

async function* spansOf(session: RecordedSession): AsyncGenerator<JsonText> {
  const survey = await surveySession(session);
  const cancelledAt = new Map<number, number>();
  const calls = callsOf(session, (entry) => {
    if (entry.kind === 'message') noteCancellation(entry, cancelledAt);
  });
  for await (const call of calls) yield spanText(call, session.header, survey, cancelledAt);
}

function noteCancellation(message: MessageEntry, cancelledAt: Map<number, number>): void {
  if (envelopeOf(message).method !== 'notifications/cancelled') return;
  cancelledAt.set(message.sequence, message.atMs);
  if (cancelledAt.size <= MAX_CANCELLATIONS) return;
  for (const oldest of cancelledAt.keys()) {
    cancelledAt.delete(oldest);
    return;
  }
}
