import { spawn } from 'node:child_process';
import { CALL_TEXT } from './call-text.mjs';

/** The number of calls in flight when calls are pipelined. */
export const IN_FLIGHT = 64;

const LINE_FEED = 0x0a;
const STDERR_LENGTH = 2000;
const SHOWN_LENGTH = 300;

const INITIALIZE = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}\n`;
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

/**
 * A minimal client, so that the benchmark measures the other side. It writes requests and counts the line feeds of the
 * responses.
 */
export class StdioClient {
  #child;
  #stderr = '';
  #exited;
  #closing = false;
  #nextId = 1;
  #startedAtMs = performance.now();
  #text;
  #receivedBytes = 0;
  #lastChunk = Buffer.alloc(0);
  #onAnswers = () => {};
  #onFailure = () => {};
  /** The number of messages written and received. */
  sent = 0;
  received = 0;

  /** `text` is the text that each call asks the server to echo. */
  constructor([program, ...args], options = {}, text = CALL_TEXT) {
    this.#text = text;
    this.#child = spawn(program, args, options);
    const kill = () => this.#child.kill('SIGKILL');
    process.once('exit', kill);
    this.#child.stdout.on('data', (chunk) => this.#take(chunk));
    this.#child.stderr.on('data', (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_LENGTH);
    });
    // The exit event reports a server that has exited.
    this.#child.stdin.on('error', () => {});
    this.#exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => {
        process.off('exit', kill);
        if (!this.#closing) this.#onFailure(new Error(`It ended with ${signal ?? code}. ${this.#stderr}`));
        resolve(signal ?? code);
      });
    });
    this.#exited.catch((error) => this.#onFailure(error));
  }

  get pid() {
    return this.#child.pid;
  }

  /** Sends initialize and returns the milliseconds from the program's start to the response. */
  async initialize() {
    await this.#answers(1, () => this.#send(INITIALIZE));
    const ms = performance.now() - this.#startedAtMs;
    this.#send(INITIALIZED);
    return ms;
  }

  /** Makes calls one at a time and returns the milliseconds of each. */
  async callInTurn(count) {
    const times = [];
    for (let n = 0; n < count; n++) {
      const started = performance.now();
      await this.#answers(1, () => this.#call(1));
      times.push(performance.now() - started);
    }
    this.#checkAnswer();
    return times;
  }

  /** Makes calls with `IN_FLIGHT` of them open and returns the milliseconds for all of them. */
  async callPipelined(count) {
    const started = performance.now();
    let called = Math.min(count, IN_FLIGHT);
    await this.#answers(
      count,
      () => this.#call(called),
      (answered) => {
        const more = Math.min(answered, count - called);
        called += more;
        if (more > 0) this.#call(more);
      },
    );
    this.#checkAnswer();
    return performance.now() - started;
  }

  /** Closes stdin, or sends a signal to a program that ignores that, and waits for the program's exit. */
  async close(signal) {
    this.#closing = true;
    if (signal === undefined) this.#child.stdin.end();
    else this.#child.kill(signal);
    const status = await this.#exited;
    if (signal === undefined && status !== 0) throw new Error(`It ended with ${status}. ${this.#stderr}`);
  }

  /** Kills a program that may no longer respond, and rejects all pending responses. */
  abandon() {
    this.#child.kill('SIGKILL');
  }

  #answers(count, start, onSome = () => {}) {
    return new Promise((resolve, reject) => {
      let open = count;
      this.#onFailure = reject;
      this.#onAnswers = (answered) => {
        open -= answered;
        if (open === 0) resolve();
        else onSome(answered);
      };
      start();
    });
  }

  /** One write per message, as real clients do. */
  #call(count) {
    for (let n = 0; n < count; n++) {
      const call = `{"name":"echo","arguments":{"text":"${this.#text}"}}`;
      this.#send(`{"jsonrpc":"2.0","id":${this.#nextId++},"method":"tools/call","params":${call}}\n`);
    }
  }

  #send(text) {
    this.sent++;
    this.#child.stdin.write(text, 'latin1');
  }

  #take(chunk) {
    let lines = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
    this.#lastChunk = chunk;
    this.#receivedBytes += chunk.length;
    this.received += lines;
    if (lines > 0) this.#onAnswers(lines);
  }

  /** Errors return faster than results and are shorter than the text, so they must not count as calls. */
  #checkAnswer() {
    if (this.#receivedBytes < (this.#nextId - 1) * this.#text.length) {
      throw new Error(`This is no echo: ${this.#lastChunk.subarray(0, SHOWN_LENGTH)}`);
    }
  }
}
