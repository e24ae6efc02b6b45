import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { type Json, jsonLines } from '../support/recordings.ts';
import { ENCODERS, plain } from './encodings.ts';

/** One HTTP exchange of a dialogue. */
export interface ExchangePlan {
  readonly method: 'GET' | 'POST';
  readonly body: string;
  readonly session?: string | undefined;
  readonly status: number;
  readonly isStream: boolean;
  /** The body of the response, or the events of the stream. */
  readonly parts: readonly string[];
  readonly ends: 'normally' | 'client leaves' | 'server breaks off';
}

/** How the bodies of a dialogue are transferred. */
export interface Transfer {
  readonly request: string | undefined;
  readonly response: string | undefined;
  /** The size of the chunks. */
  readonly chunk: number;
}

/** A client and a server whose chunks pass mcpreel one after the other, so that their order is certain. */
export class EncodedTalk {
  readonly #place = new Place();
  readonly #arrived = new Map<string, (pair: [IncomingMessage, ServerResponse]) => void>();
  #url = '';
  #started = 0;
  #read = 0;
  #ended = 0;
  #stop: () => Promise<string> = async () => '';

  static async start(flags: readonly string[] = []): Promise<EncodedTalk> {
    const talk = new EncodedTalk();
    const server = createServer((incoming, response) => {
      talk.#arrived.get(String(incoming.headers['x-exchange']))?.([incoming, response]);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const proxy = await startProxy(talk.#place, ['--target-url', `http://127.0.0.1:${port}/mcp`, ...flags]);
    talk.#url = proxy.url;
    talk.#stop = async () => {
      await proxy.stop();
      return talk.#place.read('trace.jsonl');
    };
    return talk;
  }

  /** Runs a dialogue: each number of the schedule selects the open exchange that makes its next step. */
  async run(plans: readonly ExchangePlan[], schedule: readonly number[], transfer: Transfer): Promise<Json[]> {
    const first = this.#started;
    this.#started += plans.length;
    const open: AsyncGenerator<void>[] = [];
    const next = plans.map((plan, index) => this.#steps(plan, transfer, first + index));
    for (const choice of [...schedule, ...Array.from({ length: 100 }, () => 0)]) {
      // Exchanges begin in their order, because that numbers them.
      const chosen = choice % (open.length + (next.length > 0 ? 1 : 0)) || 0;
      const [begun] = chosen < open.length ? [open[chosen]] : next.splice(0, 1);
      if (begun === undefined) break;
      if (chosen >= open.length) open.push(begun);
      const { done } = await begun.next();
      if (done) open.splice(open.indexOf(begun), 1);
    }
    return this.#entries();
  }

  /** The whole trace. */
  stop(): Promise<string> {
    return this.#stop();
  }

  async #entries(): Promise<Json[]> {
    const lines = await this.#recorded(this.#started);
    const read = this.#read;
    this.#read = lines.length;
    return lines.slice(read).filter(({ type }) => type !== 'meta');
  }

  /** The lines of the trace once this many exchanges have ended in it. */
  #recorded(count: number): Promise<Json[]> {
    return vi.waitFor(
      () => {
        const text = this.#place.read('trace.jsonl');
        const all = jsonLines(text.slice(0, text.lastIndexOf('\n')));
        const ended = all.filter(({ kind }) => kind === 'http.exchange');
        if (ended.length < count) throw new Error(`${ended.length} of ${count} exchanges are recorded`);
        return all;
      },
      { timeout: 20_000, interval: 5 },
    );
  }

  async *#steps(plan: ExchangePlan, transfer: Transfer, number: number): AsyncGenerator<void> {
    const arrived = new Promise<[IncomingMessage, ServerResponse]>((resolve) => {
      this.#arrived.set(String(number), resolve);
    });
    const sent = request(this.#url, {
      method: plan.method,
      headers: {
        'X-Exchange': String(number),
        Accept: 'application/json, text/event-stream',
        ...(plan.method === 'POST' && { 'Content-Type': 'application/json' }),
        ...(plan.method === 'POST' && transfer.request !== undefined && { 'Content-Encoding': transfer.request }),
        ...(plan.session !== undefined && { 'Mcp-Session-Id': plan.session }),
      },
    });
    sent.on('error', () => undefined);
    const answered = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    const body = plan.body === '' ? [] : await encoded([plan.body], transfer.request);
    for (const chunk of chunksOf(Buffer.concat(body), transfer.chunk)) sent.write(chunk);
    sent.end();
    const [incoming, outgoing] = await arrived;
    await new Promise<void>((resolve) => incoming.resume().once('end', resolve));
    yield;

    outgoing.writeHead(plan.status, {
      'Content-Type': plan.isStream ? 'text/event-stream' : 'application/json',
      ...(transfer.response !== undefined && { 'Content-Encoding': transfer.response }),
      ...(plan.body.includes('"initialize"') && plan.session === undefined && { 'Mcp-Session-Id': `of ${number % 3}` }),
    });
    outgoing.flushHeaders();
    const response = await answered;
    response.on('error', () => undefined);
    const received = new ReceivedBytes(response);
    yield;

    const parts = plan.parts.length === 0 ? [] : await encoded(plan.parts, transfer.response);
    const end = parts.pop();
    for (const part of parts) {
      for (const chunk of chunksOf(part, transfer.chunk)) {
        outgoing.write(chunk);
        await received.next(chunk.length);
      }
      yield;
    }

    const closed = new Promise<void>((resolve) => outgoing.once('close', resolve));
    if (plan.ends === 'client leaves') sent.destroy();
    else if (plan.ends === 'server breaks off') outgoing.destroy();
    else outgoing.end(end);
    await Promise.all([closed, received.closed]);
    // A body that is cut off is recorded when mcpreel notices that.
    this.#ended++;
    await this.#recorded(this.#ended);
  }
}

class ReceivedBytes {
  readonly closed: Promise<void>;
  #size = 0;
  #expected = 0;
  #onEnough: () => void = () => undefined;

  constructor(response: IncomingMessage) {
    this.closed = new Promise((resolve) => response.once('close', resolve));
    response.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size >= this.#expected) this.#onEnough();
    });
  }

  async next(size: number): Promise<void> {
    this.#expected += size;
    if (this.#size < this.#expected) await new Promise<void>((resolve) => (this.#onEnough = resolve));
  }
}

function encoded(parts: readonly string[], encoding: string | undefined): Promise<Buffer[]> {
  const encoder = encoding === undefined ? plain : ENCODERS[encoding];
  if (encoder === undefined) throw new Error(`No encoder for ${encoding}`);
  return encoder(parts.map((part) => Buffer.from(part)));
}

function chunksOf(bytes: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}
