import { Worker } from 'node:worker_threads';
import type { LongStdioLine, ReadLongLine } from '../../record/stdio-traffic.ts';
import type { LongLineRules } from './long-line-worker.ts';

/** Reads long lines in a separate thread, which is started for the first one. */
export class LongLineReader {
  readonly #data: LongLineRules;
  readonly #script: string;
  #worker: Worker | undefined;
  #hasFailed = false;

  constructor(data: LongLineRules, script: string) {
    this.#data = data;
    this.#script = script;
  }

  /** Calls back with what the thread has read, or with nothing if it failed. One line at a time. */
  read(line: LongStdioLine, onRead: (read: ReadLongLine | undefined) => void): void {
    const worker = this.#started();
    if (worker === undefined) {
      setImmediate(() => onRead(undefined));
      return;
    }
    const finish = (read: ReadLongLine | undefined): void => {
      worker.off('message', finish);
      worker.off('exit', fail);
      onRead(read);
    };
    const fail = (): void => {
      this.#hasFailed = true;
      this.#worker = undefined;
      finish(undefined);
    };
    worker.on('message', finish);
    worker.on('exit', fail);
    worker.postMessage(line);
  }

  close(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #started(): Worker | undefined {
    if (this.#hasFailed || this.#worker !== undefined) return this.#worker;
    try {
      this.#worker = new Worker(this.#script, { workerData: this.#data, execArgv: [], stdin: false });
      // An error ends the thread, which is noticed by its exit.
      this.#worker.on('error', () => undefined);
      this.#worker.unref();
    } catch {
      this.#hasFailed = true;
    }
    return this.#worker;
  }
}
