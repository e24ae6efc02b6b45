import type { ClientRequest, IncomingMessage } from 'node:http';
import { SESSION_ENDED } from '../../model/exchange-ends.ts';
import type { HttpTarget } from '../../transport/http/http-target.ts';
import type { ExchangeTap } from '../http/exchange-tap.ts';
import type { IdleQueue } from '../http/idle-queue.ts';
import { failureOf } from '../http/upstream-failure.ts';

export interface OwnRequestOptions {
  readonly target: HttpTarget;
  readonly tap: ExchangeTap;
  readonly idleQueue: IdleQueue;
  readonly nowMs: () => number;
}

/** Sends an injected HTTP request. Its response is only recorded. */
export function sendOwn(upstream: ClientRequest, body: Uint8Array, options: OwnRequestOptions): void {
  const { target, tap, idleQueue, nowMs } = options;
  const beganAtMs = nowMs();
  const bytes = { in: body.length, out: 0 };
  let firstByte: number | undefined;
  let answer: IncomingMessage | undefined;
  let error: string | undefined;
  const fail = (why: Error): void => {
    error ??= failureOf(why, target.url, answer !== undefined).reason;
  };
  upstream.on('error', fail);
  upstream.once('response', (answered) => {
    answer = answered;
    firstByte = nowMs() - beganAtMs;
    const { statusCode: status = 502, rawHeaders: headers } = answered;
    const headAtMs = nowMs();
    idleQueue.add(() => tap.response({ status, headers }, headAtMs));
    answered.on('error', fail);
    answered.on('data', (chunk: Uint8Array) => {
      bytes.out += chunk.length;
      const atMs = nowMs();
      idleQueue.addLong(() => tap.responseChunk(chunk, atMs), chunk.length);
    });
    answered.once('end', () => {
      const atMs = nowMs();
      if (answered.complete) idleQueue.addLong(() => tap.responseEnd(atMs), 0);
    });
  });
  upstream.once('close', () => {
    const atMs = nowMs();
    const ms = { connect: undefined, firstByte, end: atMs - beganAtMs };
    if (answer?.complete !== true) error ??= SESSION_ENDED;
    idleQueue.add(() => tap.end({ ms, bytes, error, ownAnswer: undefined }, atMs));
  });
  upstream.end(body);
  idleQueue.addLong(() => tap.requestChunk(body, beganAtMs), body.length);
  idleQueue.addLong(() => tap.requestEnd(beganAtMs), 0);
}
