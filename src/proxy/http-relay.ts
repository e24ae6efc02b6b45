import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderPair, HttpTarget } from '../transport/http-target.ts';
import type { Afterwards } from './afterwards.ts';
import { EndOfTurn } from './end-of-turn.ts';
import type { ExchangeOutcome, ExchangeTap, RequestHead } from './exchange-tap.ts';
import { carryBody } from './http-body.ts';
import { endToEnd, headerPairs, type RawHeaders } from './http-headers.ts';
import { requestHead, SentHeaders } from './request-head.ts';
import type { ResponseRewriter } from './response-rewrite.ts';
import { failureAnswer, failureOf, type UpstreamFailure } from './upstream-failure.ts';

export interface HttpRelayOptions {
  readonly target: HttpTarget;
  /** Sent to the target in place of the client's own of the same names. */
  readonly addedHeaders: readonly HeaderPair[];
  /** Whether the target is told the host that the client asked for. */
  readonly keepsHost: boolean;
  readonly nowMs: () => number;
  readonly afterwards: Afterwards;
  /** Begins the copy of an exchange. */
  readonly begin: (head: RequestHead, atMs: number) => ExchangeTap;
  readonly rewriter: ResponseRewriter;
  /** Whether it is us who end whatever is still open. */
  readonly isEnding: () => boolean;
}

/** Carries requests to the target and answers back as they are: raw headers, raw bytes, each as soon as it comes. */
export class HttpRelay {
  readonly #options: HttpRelayOptions;
  readonly #sentHeaders: SentHeaders;
  readonly #endOfTurn = new EndOfTurn();

  constructor(options: HttpRelayOptions) {
    const { target, keepsHost, addedHeaders } = options;
    this.#options = options;
    this.#sentHeaders = new SentHeaders({ host: keepsHost ? undefined : target.url.host, added: addedHeaders });
  }

  carry(request: IncomingMessage, response: ServerResponse, path: string): void {
    const head = requestHead(request, path);
    new Exchange(this.#options, this.#endOfTurn, request, response, head).begin(this.#sentHeaders);
  }
}

/** How long the client of a target that failed may take for the rest of its request before it is told. */
const REST_OF_REQUEST_MS = 1000;

/** One request and its answer on their way. */
class Exchange {
  readonly #options: HttpRelayOptions;
  readonly #endOfTurn: EndOfTurn;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #head: RequestHead;
  readonly #beganAtMs: number;
  readonly #tap: ExchangeTap;
  readonly #bytes = { in: 0, out: 0 };
  #connectMs: number | undefined;
  #firstByteMs: number | undefined;
  #upstream: ClientRequest | undefined;
  #answered = false;
  #isComplete = false;
  #isOver = false;
  #error: string | undefined;
  #ownAnswer: ExchangeOutcome['ownAnswer'];

  constructor(
    options: HttpRelayOptions,
    endOfTurn: EndOfTurn,
    request: IncomingMessage,
    response: ServerResponse,
    head: RequestHead,
  ) {
    this.#options = options;
    this.#endOfTurn = endOfTurn;
    this.#request = request;
    this.#response = response;
    this.#head = head;
    this.#beganAtMs = options.nowMs();
    this.#tap = options.begin(this.#head, this.#beganAtMs);
  }

  begin(sentHeaders: SentHeaders): void {
    const { target, rewriter } = this.#options;
    const { method, path } = this.#head;
    this.#response.once('close', () => this.#end());
    if (this.#response.socket === null) this.#endWithConnection();
    let upstream: ClientRequest;
    try {
      upstream = target.request({
        method,
        path,
        headers: sentHeaders.of(this.#head, target.url.host, rewriter.wantsPlain(path)),
      });
    } catch (error) {
      // A path or a header that may be read but not be written.
      this.#fail(error as NodeJS.ErrnoException);
      return;
    }
    this.#upstream = upstream;
    upstream.once('socket', (socket) => {
      if (!socket.connecting) this.#connectMs = 0;
      else socket.once('connect', () => (this.#connectMs = this.#sinceBegin()));
    });
    upstream.on('information', (info) => this.#passInformation(info));
    upstream.once('response', (answer) => this.#answer(answer));
    upstream.once('upgrade', () => this.#fail(new Error('it went on in another protocol')));
    upstream.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
    this.#sendBody(upstream);
  }

  /** An answer that waits for those before it is not told that its connection is gone. */
  #endWithConnection(): void {
    const { socket } = this.#request;
    const end = (): void => this.#end();
    socket.setMaxListeners(0);
    socket.once('close', end);
    this.#response.once('close', () => socket.off('close', end));
  }

  #sendBody(upstream: ClientRequest): void {
    const request = this.#request;
    const { nowMs, afterwards } = this.#options;
    let begun = false;
    // The head goes out with the first of the body if that is here already, and alone if it is not.
    this.#endOfTurn.add(() => {
      if (!begun && !upstream.destroyed) upstream.flushHeaders();
    });
    carryBody(request, upstream, (chunk) => {
      begun = true;
      this.#bytes.in += chunk.length;
      const atMs = nowMs();
      afterwards.add(() => this.#tap.requestChunk(chunk, atMs));
    });
    request.once('end', () => {
      begun = true;
      const atMs = nowMs();
      if (request.rawTrailers.length > 0) upstream.addTrailers(headerPairs(request.rawTrailers));
      upstream.end();
      afterwards.add(() => this.#tap.requestEnd(atMs));
    });
    request.once('close', () => {
      if (!request.complete) upstream.destroy();
    });
  }

  /** An answer that precedes the answer. */
  #passInformation({ statusCode, statusMessage, rawHeaders }: Information): void {
    const response = this.#response;
    if (response.headersSent || this.#request.httpVersion === '1.0') return;
    if (statusCode === 100) {
      response.writeContinue();
      return;
    }
    let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
    for (const [name, value] of headerPairs(rawHeaders)) head += `${name}: ${value}\r\n`;
    response.socket?.write(`${head}\r\n`, 'latin1');
  }

  #answer(answer: IncomingMessage): void {
    const { nowMs, afterwards, rewriter } = this.#options;
    const response = this.#response;
    const { statusCode: status = 502, statusMessage, rawHeaders } = answer;
    const atMs = nowMs();
    this.#answered = true;
    this.#firstByteMs = this.#sinceBegin();
    const original = { status, headers: rawHeaders };
    const { headers, body } = rewriter.rewriteOf(this.#head, original);
    try {
      response.sendDate = false;
      response.writeHead(status, statusMessage, this.#answerHeaders(headers));
    } catch (error) {
      this.#answered = false;
      this.#fail(error as NodeJS.ErrnoException);
      return;
    }
    afterwards.add(() => this.#tap.response(original, atMs));
    let begun = false;
    this.#endOfTurn.add(() => {
      if (!begun && !response.destroyed) response.flushHeaders();
    });
    carryBody(
      answer,
      response,
      (chunk) => {
        begun = true;
        this.#bytes.out += chunk.length;
        const chunkAtMs = nowMs();
        afterwards.add(() => this.#tap.responseChunk(chunk, chunkAtMs));
      },
      body,
    );
    answer.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
    answer.once('end', () => {
      begun = true;
      if (!answer.complete) return;
      this.#isComplete = true;
      const rest = body?.end();
      if (rest !== undefined && rest.length > 0) response.write(rest);
      if (answer.rawTrailers.length > 0) response.addTrailers(headerPairs(answer.rawTrailers));
      response.end();
      const endAtMs = nowMs();
      afterwards.add(() => this.#tap.responseEnd(endAtMs));
    });
    answer.once('close', () => {
      if (!answer.complete) this.#fail(new Error('the connection was closed in the middle of the answer'));
    });
  }

  /** A client of HTTP/1.0 knows no chunks: for it the body ends with the connection. */
  #answerHeaders(headers: RawHeaders): string[] {
    if (this.#request.httpVersion !== '1.0') return endToEnd(headers);
    return endToEnd(headers, (name, value) => (name === 'transfer-encoding' ? undefined : value));
  }

  /** The target cannot be reached, or broke off. */
  #fail(error: NodeJS.ErrnoException): void {
    if (this.#isComplete || this.#error !== undefined || this.#response.destroyed) return;
    const response = this.#response;
    const failure = failureOf(error, this.#options.target.url, this.#answered);
    this.#error = failure.reason;
    this.#upstream?.destroy();
    if (this.#answered) {
      // Broken, not ended: the client must not take a part for the whole. What came before is still on its way.
      if (response.socket !== null) response.socket.destroySoon();
      // Its turn is yet to come. What it has to say is written right after that.
      else response.once('socket', (socket) => setImmediate(() => socket.destroySoon()));
      return;
    }
    this.#whenRequestIsRead(() => this.#tellFailure(failure));
  }

  /** The request says which id its answer has, and may still be on its way. */
  #whenRequestIsRead(goOn: () => void): void {
    if (this.#request.complete) {
      goOn();
      return;
    }
    const timer = setTimeout(goOn, REST_OF_REQUEST_MS);
    this.#request.once('end', () => {
      clearTimeout(timer);
      goOn();
    });
  }

  #tellFailure(failure: UpstreamFailure): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    this.#options.afterwards.finish();
    const { contentType, body, text } = failureAnswer(failure, this.#head, this.#tap.requestId);
    this.#ownAnswer = { status: failure.status, text };
    response.writeHead(failure.status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) });
    response.end(this.#head.method === 'HEAD' ? '' : body);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { nowMs, afterwards, isEnding } = this.#options;
    const wasCut = !this.#isComplete && this.#ownAnswer === undefined;
    if (wasCut) this.#error ??= isEnding() ? 'mcpreel was ended' : 'the client left';
    // The client left early, or its request was answered before all of it was read.
    if (wasCut || this.#upstream?.writableEnded === false) this.#upstream?.destroy();
    const outcome: ExchangeOutcome = {
      ms: { connect: this.#connectMs, firstByte: this.#firstByteMs, end: this.#sinceBegin() },
      bytes: this.#bytes,
      error: this.#error,
      ownAnswer: this.#ownAnswer,
    };
    const atMs = nowMs();
    afterwards.add(() => this.#tap.end(outcome, atMs));
  }

  #sinceBegin(): number {
    return this.#options.nowMs() - this.#beganAtMs;
  }
}

interface Information {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly rawHeaders: string[];
}
