import type { Settlement } from '../../intercept/held-message.ts';
import { isBatch, isUnchanged, sentText } from '../../intercept/settled-frame.ts';
import type { RequestHead } from '../http/exchange-tap.ts';
import type { RawHeaders } from '../http/http-headers.ts';
import { headersForBody, headersForEdit } from './edited-headers.ts';
import type { HttpHolding } from './held-body.ts';

/** A body to forward, with matching headers. */
export interface SentBody {
  readonly headers: RawHeaders;
  readonly chunks: readonly Uint8Array[];
  /** Whether it is unchanged. */
  readonly isSame: boolean;
}

/** A body as received, with the outcome of its messages. */
export interface SettledBody {
  readonly chunks: readonly Uint8Array[];
  readonly settled: readonly Settlement[];
}

/** The request to forward; `undefined` if nothing is forwarded. */
export function sentRequest(
  { headers }: RequestHead,
  { chunks, settled }: SettledBody,
  { tools }: HttpHolding,
): SentBody | undefined {
  if (isUnchanged(settled)) return { headers, chunks, isSame: true };
  const text = sentText(settled);
  if (text === undefined) return undefined;
  const [message] = settled;
  const isOne = !isBatch(settled) && message !== undefined;
  return edited(isOne ? headersForEdit(headers, message.text, text, tools) : headers, text);
}

/** The response to forward, including mcpreel's own answers; `undefined` if nothing is forwarded. */
export function sentAnswer(
  headers: RawHeaders,
  { chunks, settled }: SettledBody,
  owed: readonly string[],
): SentBody | undefined {
  if (owed.length === 0 && isUnchanged(settled)) return { headers, chunks, isSame: true };
  const text = sentText(settled);
  if (owed.length === 0) return text === undefined ? undefined : edited(headers, text);
  const theirs = isBatch(settled) ? text?.slice(1, -1) : text;
  return edited(headers, `[${[...owed, ...(theirs === undefined ? [] : [theirs])].join(',')}]`);
}

function edited(headers: RawHeaders, text: string): SentBody {
  const body = Buffer.from(text);
  return { headers: headersForBody(headers, body.length), chunks: [body], isSame: false };
}
