import type { JsonText } from '../model/entry.ts';
import type { RequestHead } from './exchange-tap.ts';
import { headerOf } from './http-headers.ts';

/** Why the target gave no answer, and the status that tells the client so. */
export interface UpstreamFailure {
  readonly status: 502 | 504;
  /** For the person who reads it, and without anything secret. */
  readonly reason: string;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection without an answer',
  EPIPE: 'it closed the connection without an answer',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up for now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'no connection in time',
  EOWNADDRESS: 'that is mcpreel itself',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  HPE_HEADER_OVERFLOW: 'its headers are too large',
};

/** What an error on the way to the target means. */
export function failureOf(error: NodeJS.ErrnoException, target: URL): UpstreamFailure {
  const code = error.code ?? '';
  const reason = REASONS[code] ?? (code.startsWith('HPE_') ? `it does not speak HTTP (${code})` : error.message);
  return { status: code === 'ETIMEDOUT' ? 504 : 502, reason: `no answer from ${target.host}: ${reason}` };
}

export interface FailureAnswer {
  readonly contentType: string;
  readonly body: string;
  /** The body, where it is a message. */
  readonly text: JsonText | undefined;
}

/** What the client is told: a JSON-RPC error where it sent or wants JSON, a line of text elsewhere. */
export function failureAnswer(
  { reason }: UpstreamFailure,
  { headers }: RequestHead,
  requestId: JsonText | undefined,
): FailureAnswer {
  const wanted = `${headerOf(headers, 'accept') ?? ''},${headerOf(headers, 'content-type') ?? ''}`;
  if (!/json/i.test(wanted)) return { contentType: 'text/plain', body: `mcpreel: ${reason}\n`, text: undefined };
  const message = JSON.stringify(`mcpreel: ${reason}`);
  const text = `{"jsonrpc":"2.0","id":${requestId ?? 'null'},"error":{"code":-32000,"message":${message}}}`;
  return { contentType: 'application/json', body: text, text };
}
