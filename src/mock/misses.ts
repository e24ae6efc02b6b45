import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { numberText } from '../model/message-number.ts';
import { answerText } from '../protocol/answer-text.ts';
import type { MatchTier } from './match-keys.ts';
import { differencesOf, type NearestExchange } from './nearest-exchange.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import type { ReplyTrigger } from './reply-player.ts';

/**
 * A request that the recording has no response for.
 *
 * @example
 * ```ts
 * import { type MockMiss, startMock } from 'mcpreel';
 *
 * const isUnknown = ({ why }: MockMiss) => why === 'unknown';
 *
 * const mock = await startMock('session.json');
 * const { misses } = await mock.stop();
 * console.log(misses.filter(isUnknown).map(({ message }) => message));
 * ```
 */
export interface MockMiss {
  readonly method: string;
  /** The tool, prompt, resource or task that it names. */
  readonly name: string | undefined;
  /**
   * `unknown`: no matching request was recorded. `exhausted`: all matches have been used. `unanswered`: no response was
   * recorded.
   */
  readonly why: 'unknown' | 'exhausted' | 'unanswered';
  /** The error message that the client received. */
  readonly message: string;
  /** Whether a live server received the request instead. */
  readonly isForwarded: boolean;
}

const METHOD_NOT_FOUND = -32601;
const MISSED = -32000;

export function unknownMiss(
  { text, method }: ReplyTrigger,
  nearest: NearestExchange | undefined,
  isForwarded: boolean,
): MockMiss {
  const name = nameOf(text);
  return { method, name, why: 'unknown', message: explained(method, name, nearest), isForwarded };
}

export function exhaustedMiss(
  { text, method }: ReplyTrigger,
  exchanges: readonly RecordedExchange[],
  isForwarded: boolean,
): MockMiss {
  const name = nameOf(text);
  const times = exchanges.length === 1 ? 'once' : `${exchanges.length} times`;
  const message = `${called(method, name)} was recorded ${times}, but requested more often`;
  return { method, name, why: 'exhausted', message, isForwarded };
}

export function unansweredMiss({ method, step }: RecordedExchange): MockMiss {
  const { name } = step;
  const message = `the recording ends before the response to ${called(method, name)}`;
  return { method, name, why: 'unanswered', message, isForwarded: false };
}

/** The error response for a miss. `isKnown`: whether any request of this method was recorded. */
export function missAnswer({ method, why, message }: MockMiss, id: JsonText, isKnown: boolean): JsonText {
  const code = isKnown ? MISSED : METHOD_NOT_FOUND;
  const error = { code, message: `mcpreel: ${message}`, data: { method, why } };
  return answerText(id, 'error', JSON.stringify(error));
}

/** The notice printed when a request is answered by an inexact match. */
export function likenessLine(exchange: RecordedExchange, requested: JsonText, tier: MatchTier): string {
  const { step, method } = exchange;
  const paths = differencesOf(exchange, requested).map(({ path }) => path);
  const differ = paths.length === 1 ? 'differs' : 'differ';
  return `Matched ${called(method, step.name)} with ${numberOf(exchange)} (${tier}), although ${paths.join(', ')} ${differ}`;
}

function explained(method: string, name: string | undefined, nearest: NearestExchange | undefined): string {
  const requested = called(method, name);
  if (nearest === undefined) return `no match for ${requested}`;
  const { exchange, differences } = nearest;
  const shown = differences.slice(0, 3).map(({ path, recorded, replayed }) => {
    const [before, now] = [recorded, replayed].map((value) => (value === undefined ? 'nothing' : short(value)));
    return `${path} recorded ${before}, got ${now}`;
  });
  const more = differences.length > 3 ? ` and ${differences.length - 3} more` : '';
  return `no match for ${requested}; closest is ${numberOf(exchange)}: ${shown.join('; ')}${more}`;
}

function called(method: string, name: string | undefined): string {
  return name === undefined ? method : `${method} ${name}`;
}

function short(value: JsonText | undefined): string {
  const text = value ?? '';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function numberOf({ step }: RecordedExchange): string {
  return numberText(step.entry.sequence);
}

/** The tool, prompt, resource or task that a request names. */
function nameOf(text: JsonText): string | undefined {
  const params = ObjectView.of(text)?.object('params');
  return params?.string('name') ?? params?.string('uri') ?? params?.string('taskId');
}
