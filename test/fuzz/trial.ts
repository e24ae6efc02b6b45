import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Find, Inputs, tryInput } from './engine.ts';
import type { Target } from './target.ts';

/** Longer than any of these small inputs may take on a busy machine. */
const MAX_SECONDS = 15;
/** More than any of these small inputs may need. */
const MAX_MEGABYTES = 512;
/** How long one request to the worker may take; it covers as many inputs as fit. */
const SLICE_MS = 500;
const MAX_INPUT_BYTES = 1 << 20;

/** The result of trying some inputs. */
export interface Tried {
  readonly tried: number;
  readonly find?: Find | undefined;
}

type Question =
  | { readonly from: number; readonly knownFaults: readonly string[] }
  | { readonly input: Uint8Array }
  | { readonly close: true };

/** The number of the current input, visible to the other thread even if this one hangs. */
interface Shared {
  readonly length: Int32Array<SharedArrayBuffer>;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

interface Task {
  readonly name: string;
  readonly seed: number;
  readonly memory: SharedArrayBuffer;
}

/** Runs a target in a worker thread, which may hang or run out of memory without affecting this one. */
export class Trial {
  readonly #task: Task;
  readonly #shared: Shared;
  #worker: Worker | undefined;

  constructor(name: string, seed: number) {
    this.#task = { name, seed, memory: new SharedArrayBuffer(8 + MAX_INPUT_BYTES) };
    this.#shared = sharedOf(this.#task.memory);
  }

  /** Tries inputs from this number on, until it finds an unknown fault or the time is up. */
  async next(from: number, knownFaults: readonly string[]): Promise<Tried> {
    const answer = await this.#ask<Tried>({ from, knownFaults });
    if (!('failure' in answer)) return answer.value;
    const find = this.#lastInput(answer.failure);
    const tried = Atomics.load(this.#shared.length, 1);
    return knownFaults.includes(answer.failure) ? { tried } : { tried, find };
  }

  /** The fault that one input shows, if any. */
  async try(input: Uint8Array): Promise<Find | undefined> {
    const answer = await this.#ask<Find | undefined>({ input });
    return 'failure' in answer ? this.#lastInput(answer.failure) : answer.value;
  }

  async close(): Promise<void> {
    if (this.#worker === undefined) return;
    await this.#ask({ close: true });
    await this.#worker?.terminate();
  }

  #lastInput(fault: string): Find {
    const input = this.#shared.bytes.slice(0, Atomics.load(this.#shared.length, 0));
    return { input: new Uint8Array(input), fault, detail: fault };
  }

  #ask<T>(question: Question): Promise<{ value: T } | { failure: string }> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve) => {
      const end = (failure: string): void => {
        clearInterval(watch);
        this.#worker = undefined;
        void worker.terminate();
        resolve({ failure });
      };
      let [lastCount, seconds] = [-1, 0];
      // Counts timer ticks instead of measuring time, so that time in which the machine is suspended does not count.
      const watch = setInterval(() => {
        const count = Atomics.load(this.#shared.length, 1);
        seconds = count === lastCount ? seconds + 1 : 0;
        if (seconds === MAX_SECONDS) end(`it takes more than ${MAX_SECONDS} seconds`);
        lastCount = count;
      }, 1000);
      worker.removeAllListeners();
      worker.once('error', (error: Error & { code?: string }) =>
        end(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? `it takes more than ${MAX_MEGABYTES} MB`
            : `${error.name} outside of any check: ${error.stack}`,
        ),
      );
      worker.once('message', (value: T) => {
        clearInterval(watch);
        resolve({ value });
      });
      worker.postMessage(question);
    });
  }

  #start(): Worker {
    return new Worker(fileURLToPath(import.meta.url.replace(/[^/]*$/, 'run.js')), {
      workerData: this.#task,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    });
  }
}

/** The worker's side of `Trial`. */
export function serveTries(targets: readonly Target[]): void {
  const { name, seed, memory } = workerData as Task;
  const target = targets.find((candidate) => candidate.name === name);
  if (isMainThread || target === undefined) throw new Error(`There is no target ${name}`);
  const shared = sharedOf(memory);
  const inputs = new Inputs(target, seed);
  const attempt = (input: Uint8Array): Promise<Find | undefined> => {
    shared.bytes.set(input.subarray(0, MAX_INPUT_BYTES));
    Atomics.store(shared.length, 0, Math.min(input.length, MAX_INPUT_BYTES));
    return tryInput(target, input);
  };
  const answer = async (question: Question): Promise<unknown> => {
    Atomics.store(shared.length, 1, 0);
    if ('close' in question) return target.close?.();
    if ('input' in question) return attempt(question.input);
    const until = performance.now() + SLICE_MS;
    let tried = 0;
    while (performance.now() < until) {
      const find = await attempt(inputs.at(question.from + tried));
      Atomics.store(shared.length, 1, ++tried);
      if (find !== undefined && !question.knownFaults.includes(find.fault)) return { tried, find };
    }
    return { tried };
  };
  parentPort?.on('message', (question: Question) => {
    void answer(question).then((reply) => parentPort?.postMessage(reply));
  });
}

function sharedOf(memory: SharedArrayBuffer): Shared {
  return { length: new Int32Array(memory, 0, 2), bytes: new Uint8Array(memory, 8) };
}
