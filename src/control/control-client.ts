import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { HeldMessage, InterceptMode } from '../intercept/held-message.ts';
import type {
  ActionResult,
  HoldState,
  Injection,
  LiveSessionFacts,
  RequestedDecision,
  SessionListener,
} from '../intercept/session-control.ts';
import { ReelError } from '../model/errors.ts';
import type { RunningSession } from '../state/live-sessions.ts';
import { isOwnSocket } from '../state/trusted-folder.ts';
import {
  type DoneReply,
  type HelloReply,
  LIVE_VERSION,
  type LiveReply,
  type LiveRequest,
  lineOf,
  MAX_REPLY_BYTES,
  objectIn,
  type RefusedReply,
} from './control-protocol.ts';
import { FrameReader } from './frame-reader.ts';

/** Receives a session's events: held messages after `takeCharge`, lines after `follow`. */
export interface ControlListener extends Omit<SessionListener, 'onEnd'> {
  /** Lines from `from` up to but not including `to` were not sent; read them from the trace file. */
  onMissed?(from: number, to: number): void;
}

export interface ConnectOptions {
  readonly listener?: ControlListener | undefined;
  /** How long the session may take to accept the connection. */
  readonly timeoutMs?: number | undefined;
  /** How often to try to connect. A session is announced a moment before its socket is open. */
  readonly tries?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 5000;
const DEFAULT_TRIES = 20;
const BETWEEN_TRIES_MS = 50;

/** Connects to the control socket of a running session. Throws if the session refuses the connection. */
export async function connectLive(
  session: Pick<RunningSession, 'id' | 'socket' | 'token'>,
  { listener = {}, timeoutMs = DEFAULT_TIMEOUT_MS, tries = DEFAULT_TRIES }: ConnectOptions = {},
): Promise<ControlClient> {
  const { id, socket: path, token } = session;
  if (path === undefined || token === undefined) {
    throw new ReelError('session-gone', `Session ${id} has no control socket`);
  }
  const socket = await connectedSocket(path, tries).catch((cause: unknown) => {
    throw gone(id, cause);
  });
  const client = new ControlClient(id, socket, listener);
  try {
    await client.enter(token, timeoutMs);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Rejects if the socket does not accept connections after all tries. */
async function connectedSocket(path: string, tries: number): Promise<Socket> {
  if (!isOwnSocket(path)) throw new Error('its socket belongs to another user');
  const socket = connect(path);
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined)).once('error', resolve);
  });
  if (failure === undefined) return socket;
  if (tries > 1 && (failure.code === 'ENOENT' || failure.code === 'ECONNREFUSED')) {
    await delay(BETWEEN_TRIES_MS);
    return connectedSocket(path, tries - 1);
  }
  throw failure;
}

interface WaitingReply {
  resolve(reply: DoneReply): void;
  reject(error: ReelError): void;
}

/** How a connection ended: the session ended, this side closed it, or it failed with this error. */
export type ControlEnding = 'ended' | 'left' | ReelError;

/** Controls a running session from another process, with the methods of `SessionControl`. */
export class ControlClient {
  /** Resolves when the connection has ended. */
  readonly over: Promise<ControlEnding>;
  readonly #id: string;
  readonly #socket: Socket;
  readonly #listener: ControlListener;
  readonly #waiting = new Map<number, WaitingReply>();
  #hello: HelloReply | undefined;
  #state: HoldState | undefined;
  #lastRef = 0;
  #isOver = false;
  #onHello: () => void = () => undefined;
  #onOver: (ending: ControlEnding) => void = () => undefined;

  constructor(id: string, socket: Socket, listener: ControlListener) {
    this.#id = id;
    this.#socket = socket;
    this.#listener = listener;
    this.over = new Promise((resolve) => {
      this.#onOver = resolve;
    });
    const frames = new FrameReader(MAX_REPLY_BYTES, {
      onLine: (text) => this.#take(text),
      onFault: () => this.#end(this.#unintelligible()),
    });
    socket.on('data', (chunk) => frames.push(chunk as Uint8Array));
    socket.on('error', (cause) => this.#end(this.#gone(cause)));
    socket.on('close', () => this.#end(this.#gone()));
  }

  /** Sends the token and waits for the session's `hello`. */
  async enter(token: string, timeoutMs: number): Promise<void> {
    const isIn = new Promise<'in'>((resolve) => {
      this.#onHello = () => resolve('in');
    });
    const timer = setTimeout(() => this.#end(this.#gone()), timeoutMs);
    this.#socket.write(lineOf({ v: LIVE_VERSION, token }));
    const came = await Promise.race([isIn, this.over]);
    clearTimeout(timer);
    if (came !== 'in') throw came instanceof ReelError ? came : this.#gone();
  }

  /** The session's facts, as sent in its `hello`. */
  get facts(): LiveSessionFacts {
    return this.#greeting().facts;
  }

  /** The number of the trace file's next line at the time of the `hello`. */
  get nextSeq(): number {
    return this.#greeting().nextSeq;
  }

  /** The interception settings that the session reported last. */
  get state(): HoldState {
    return this.#state ?? this.#greeting().state;
  }

  /** Subscribes to lines of the trace from this number on. Existing lines are reported as missed. */
  async follow(from?: number): Promise<void> {
    await this.#ask({ type: 'follow', from });
  }

  /** Makes this client decide on held messages until the connection ends. */
  async takeCharge(): Promise<void> {
    await this.#ask({ type: 'control' });
  }

  async setMode(mode: InterceptMode, filter?: string): Promise<ActionResult> {
    return this.#ask({ type: 'mode', mode, filter });
  }

  async held(): Promise<readonly HeldMessage[]> {
    const { held = [] } = await this.#ask({ type: 'held' });
    return held;
  }

  async decide(id: string, requested: RequestedDecision): Promise<ActionResult> {
    return this.#ask({ type: 'decide', id, ...requested });
  }

  async inject(injection: Injection): Promise<ActionResult> {
    return this.#ask({ type: 'inject', ...injection });
  }

  /** Makes the session write its file, and returns the path. `path` must be absolute. */
  async save(path?: string): Promise<string> {
    const reply = await this.#ask({ type: 'save', path });
    return reply.path ?? '';
  }

  /** Asks the session to end. Resolves when the session has accepted that; `over` resolves when it has ended. */
  async requestEnd(): Promise<void> {
    await this.#ask({ type: 'end' });
  }

  /** Closes the connection. Pending requests are rejected. */
  close(): void {
    this.#end('left');
  }

  #ask(request: LiveRequest): Promise<DoneReply> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(this.#gone());
        return;
      }
      const ref = ++this.#lastRef;
      this.#waiting.set(ref, { resolve, reject });
      this.#socket.write(lineOf({ ref, ...request }));
    });
  }

  #take(text: string): void {
    // The session is mcpreel's own process, so its replies are not validated further.
    const reply = objectIn(text) as LiveReply | undefined;
    switch (reply?.type) {
      case 'hello':
        this.#hello = reply;
        this.#onHello();
        return;
      case 'done':
        this.#waitingFor(reply)?.resolve(reply);
        return;
      case 'refused':
        if (reply.ref === undefined) this.#end(refusal(reply));
        else this.#waitingFor(reply)?.reject(refusal(reply));
        return;
      case 'lines':
        this.#listener.onLines?.(reply.firstSeq, reply.lines);
        return;
      case 'missed':
        this.#listener.onMissed?.(reply.from, reply.to);
        return;
      case 'held':
        this.#listener.onHeld?.(reply.held);
        return;
      case 'released':
        this.#listener.onReleased?.(reply.release);
        return;
      case 'state':
        this.#state = reply.state;
        this.#listener.onState?.(reply.state);
        return;
      case 'end':
        this.#end('ended');
        return;
      case undefined:
        this.#end(this.#unintelligible());
        return;
      default:
      // A later version may send other types.
    }
  }

  #waitingFor({ ref }: DoneReply | RefusedReply): WaitingReply | undefined {
    const waiting = this.#waiting.get(Number(ref));
    this.#waiting.delete(Number(ref));
    return waiting;
  }

  #end(ending: ControlEnding): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.destroySoon();
    for (const { reject } of this.#waiting.values()) reject(ending instanceof ReelError ? ending : this.#gone());
    this.#waiting.clear();
    this.#onOver(ending);
  }

  #greeting(): HelloReply {
    if (this.#hello === undefined) throw this.#gone();
    return this.#hello;
  }

  #gone(cause?: unknown): ReelError {
    return gone(this.#id, cause);
  }

  #unintelligible(): ReelError {
    return new ReelError('session-gone', `Session ${this.#id} sent an invalid reply`);
  }
}

function gone(id: string, cause: unknown): ReelError {
  return new ReelError('session-gone', `Session ${id} does not respond`, {
    hint: 'List running sessions: mcpreel sessions',
    cause,
  });
}

function refusal({ message, hint }: RefusedReply): ReelError {
  return new ReelError('session-refused', message, hint === undefined ? {} : { hint });
}
