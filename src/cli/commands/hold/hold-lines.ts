import type { HeldMessage } from '../../../intercept/held-message.ts';
import type { HoldState, LiveSessionFacts, ReleaseReport } from '../../../intercept/session-control.ts';
import { onOneLine } from '../../../json/layout.ts';
import { documentSpan } from '../../../json/scan.ts';
import { ReelError } from '../../../model/errors.ts';
import { formatTraceTime } from '../../../model/times.ts';
import { readEnvelope } from '../../../protocol/envelope.ts';

/** Formats the output of `mcpreel hold`, one line each. Messages are inserted unchanged, never reserialized. */

export function heldLine(held: HeldMessage): string {
  const { id, direction, conversation, exchange, rule, atMs, untilMs, text, changedText } = held;
  const { kind, method, id: jsonrpcId } = readEnvelope(text);
  const at = formatTraceTime(atMs);
  const until = formatTraceTime(untilMs);
  const head = JSON.stringify({ id, direction, kind, method });
  const facts = JSON.stringify({ conversation, exchange, rule, at, until });
  const members = [
    head.slice(1, -1),
    ...(jsonrpcId === undefined ? [] : [`"jsonrpcId":${jsonrpcId}`]),
    facts.slice(1, -1),
    messageMember('message', 'text', text),
    ...(changedText === undefined ? [] : [messageMember('changedMessage', 'changedText', changedText)]),
  ];
  return `{"held":{${members.join(',')}}}`;
}

export function releasedLine({ id, decision, by, heldMs }: ReleaseReport): string {
  return JSON.stringify({ released: { id, as: decision.action, by, heldMs } });
}

export function stateLine({ id, label }: LiveSessionFacts, state: HoldState): string {
  const { mode, filter, holdTimeoutMs, failClosed } = state;
  return JSON.stringify({ state: { session: id, label, mode, filter, holdTimeoutMs, failClosed } });
}

/** The outcome of one line of input. */
export interface OrderOutcome {
  readonly line: number;
  readonly action: string;
  readonly id?: string | undefined;
  readonly path?: string | undefined;
  readonly hints: readonly string[];
}

export function doneLine({ line, action, id, path, hints }: OrderOutcome): string {
  return JSON.stringify({ done: { line, action, id, path, hints } });
}

export function refusedLine(line: number, error: unknown, id?: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ReelError ? error.hint : undefined;
  return JSON.stringify({ refused: { line, id, message, hint } });
}

export function endedLine({ id }: LiveSessionFacts): string {
  return JSON.stringify({ ended: { session: id } });
}

/** As JSON if it is valid, otherwise as a string. */
function messageMember(key: string, textKey: string, text: string): string {
  const span = documentSpan(text);
  return span === undefined
    ? `"${textKey}":${JSON.stringify(text)}`
    : `"${key}":${onOneLine(text.slice(span.start, span.end))}`;
}
