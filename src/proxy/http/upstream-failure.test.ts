import { describe, expect, it } from 'vitest';
import { failureAnswer, failureOf } from './upstream-failure.ts';

const TARGET = new URL('https://mcp.example:8443/mcp?key=secret');

function failure(code: string, message = 'a message of Node'): { status: number; reason: string } {
  return failureOf(Object.assign(new Error(message), { code }), TARGET);
}

describe('failureOf', () => {
  it.each([
    ['ECONNREFUSED', 502, 'it refused the connection'],
    ['ECONNRESET', 502, 'it closed the connection'],
    ['ENOTFOUND', 502, 'there is no such host'],
    ['ETIMEDOUT', 504, 'a message of Node'],
    ['CERT_HAS_EXPIRED', 502, 'its certificate has expired'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 502, 'its certificate cannot be verified'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 502, 'it does not speak TLS'],
    ['ERR_SSL_NO_SHARED_CIPHER', 502, 'it rejected the TLS handshake (ERR_SSL_NO_SHARED_CIPHER)'],
    ['HPE_HEADER_OVERFLOW', 502, 'its headers are too large'],
    ['HPE_INVALID_CONSTANT', 502, 'it does not speak HTTP (HPE_INVALID_CONSTANT)'],
    ['EWHATEVER', 502, 'a message of Node'],
  ])('describes the failure without the full address of the target: %s', (code, status, why) => {
    expect(failure(code)).toEqual({ status, reason: `no response from mcp.example:8443: ${why}` });
  });
});

it('reports a response that broke off', () => {
  const error = Object.assign(new Error(), { code: 'ECONNRESET' });
  expect(failureOf(error, TARGET, true).reason).toBe(
    'the response of mcp.example:8443 was cut off: it closed the connection',
  );
});

describe('failureAnswer', () => {
  const reported = { status: 502, reason: 'no answer: "quoted"' } as const;
  const answer = (headers: readonly string[], id?: string): ReturnType<typeof failureAnswer> =>
    failureAnswer(reported, { method: 'POST', path: '/', headers }, id);

  it.each([
    ['wants JSON', ['Accept', 'application/json, text/event-stream']],
    ['sent JSON', ['content-type', 'Application/JSON']],
  ])('returns a JSON-RPC error if the client %s', (_, headers) => {
    const text =
      '{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32000,"message":"mcpreel: no answer: \\"quoted\\""}}';
    expect(answer(headers, '12345678901234567890')).toEqual({ contentType: 'application/json', body: text, text });
  });

  it('returns an error with a null id if the request id is unknown', () => {
    expect(answer(['Accept', 'application/json']).text).toContain('"id":null,');
  });

  it('returns plain text for other clients', () => {
    expect(answer(['Accept', 'text/html'], '1')).toEqual({
      contentType: 'text/plain',
      body: 'mcpreel: no answer: "quoted"\n',
      text: undefined,
    });
  });
});
