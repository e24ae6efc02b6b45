import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { SessionControl } from '../intercept/session-control.ts';
import { LIVE_VERSION, type LiveReply, lineOf, objectIn } from './control-protocol.ts';
import { type FrameFault, FrameReader } from './frame-reader.ts';
import { refIn } from './read-request.ts';
import { type ScreenOutlet, ScreenService } from './screen-service.ts';

/** Limits on what one control client may cost a session. */
export interface ScreenLimits {
  readonly firstLineBytes: number;
  readonly firstLineMs: number;
  readonly requestBytes: number;
  /** How many requests may be in progress. Beyond that, the socket is paused. */
  readonly openRequests: number;
  /** Above this many unsent bytes, lines of the trace are not sent. */
  readonly waitingForLines: number;
  /** Above this many unsent bytes, the client is disconnected. */
  readonly waitingAtAll: number;
  /** How long a client has to read the last line after the session ends the connection. */
  readonly lingerMs: number;
}

/** One connection to a session's control socket. Its first line authenticates it; then its requests are served. */
export class ScreenConnection implements ScreenOutlet {
  readonly #socket: Socket;
  readonly #control: SessionControl;
  readonly #token: string;
  readonly #limits: ScreenLimits;
  readonly #frames: FrameReader;
  #service: ScreenService | undefined;
  /** Requests that arrived while the maximum number was in progress. */
  readonly #waiting: string[] = [];
  #openRequests = 0;
  #isLeaving = false;
  /** First the timeout for the first line, later the one for closing. */
  #timer: NodeJS.Timeout;

  constructor(socket: Socket, control: SessionControl, token: string, limits: ScreenLimits) {
    this.#socket = socket;
    this.#control = control;
    this.#token = token;
    this.#limits = limits;
    this.#frames = new FrameReader(limits.firstLineBytes, {
      onLine: (text) => this.#take(text),
      onFault: (fault) => this.#refuse(FAULTS[fault]),
    });
    this.#timer = setTimeout(() => this.#refuse('Timeout: no request received'), limits.firstLineMs).unref();
    // A connected client does not keep the session's process alive.
    socket.unref();
    socket.on('data', (chunk) => this.guard(() => this.#frames.push(chunk as Uint8Array)));
    socket.on('drain', () => this.guard(() => this.#service?.drained()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isLeaving = true;
      clearTimeout(this.#timer);
      this.#giveBack();
    });
  }

  /** Whether its first line authenticated it. */
  get isAdmitted(): boolean {
    return this.#service !== undefined;
  }

  get hasRoom(): boolean {
    return !this.#isLeaving && this.#socket.writableLength <= this.#limits.waitingForLines;
  }

  send(reply: LiveReply): void {
    if (this.#isLeaving) return;
    const line = lineOf(reply);
    if (this.#socket.writableLength + line.length > this.#limits.waitingAtAll) this.abandon();
    else this.#socket.write(line);
  }

  guard(work: () => unknown): void {
    try {
      work();
    } catch {
      this.abandon();
    }
  }

  finish(): void {
    this.#leave({ type: 'end' });
  }

  /** Refuses a connection that is over the limit. */
  turnAway(): void {
    this.#refuse('Too many controllers are connected to this session', 'Close another one first.');
  }

  /** Closes the connection without sending a reason. */
  abandon(): void {
    this.#isLeaving = true;
    this.#socket.destroy();
    this.#giveBack();
  }

  #take(text: string): void {
    if (this.#service === undefined) this.#admit(text);
    else {
      this.#waiting.push(text);
      this.#serveWaiting(this.#service);
    }
  }

  /** One chunk may hold any number of requests: Node 20 on Windows reads all available bytes at once. */
  #serveWaiting(service: ScreenService): void {
    while (!this.#isLeaving && this.#openRequests < this.#limits.openRequests) {
      const text = this.#waiting.shift();
      if (text === undefined) {
        this.#socket.resume();
        return;
      }
      this.#serve(text, service);
    }
    if (!this.#isLeaving) this.#socket.pause();
  }

  #admit(text: string): void {
    const { v, token } = objectIn(text) ?? {};
    if (typeof token !== 'string') {
      this.#refuse('This is the control socket of a recording', 'The first line must have the token.');
    } else if (v !== LIVE_VERSION) {
      this.#refuse(`This session uses protocol version ${LIVE_VERSION}`, 'Use the mcpreel version that started it.');
    } else if (!isSame(token, this.#token)) {
      this.#refuse('Wrong token');
    } else {
      clearTimeout(this.#timer);
      this.#frames.maxBytes = this.#limits.requestBytes;
      this.#service = new ScreenService(this.#control, this);
    }
  }

  #serve(text: string, service: ScreenService): void {
    const members = objectIn(text);
    const ref = members && refIn(members);
    if (members === undefined || ref === undefined) {
      this.#refuse('Not a request', 'Each line must be a JSON object with a `ref`.');
      return;
    }
    this.#openRequests++;
    void service
      .do(ref, members)
      .catch(() => this.abandon())
      .finally(() => {
        this.#openRequests--;
        this.#serveWaiting(service);
      });
  }

  #refuse(message: string, hint?: string): void {
    this.#leave({ type: 'refused', message, hint });
  }

  /** Keeps reading and discards the input, so that the client receives the last line. */
  #leave(lastWords: LiveReply): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#frames.stop();
    this.#socket.resume();
    this.#socket.end(lineOf(lastWords));
    this.#giveBack();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#socket.destroy(), this.#limits.lingerMs).unref();
  }

  /** Deferred: the session may be in the middle of an event, and leaving triggers further events. */
  #giveBack(): void {
    const service = this.#service;
    queueMicrotask(() => {
      try {
        service?.leave();
      } catch {
        // The session handles its own errors.
      }
    });
  }
}

const FAULTS: Readonly<Record<FrameFault, string>> = {
  'too-long': 'The line is too long',
  'not-utf8': 'The line is not UTF-8',
};

function isSame(given: string, requested: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(requested)];
  return a.length === b.length && timingSafeEqual(a, b);
}
