/** The signals that are forwarded to the server. */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === 'win32'
    ? ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']
    : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

type ReceivedSignal = (signal: NodeJS.Signals) => void;

/** Listens for signals from its creation on. Signals that arrive before `listen` is called are delivered then. */
export class SignalListener {
  readonly #early: NodeJS.Signals[] = [];
  #received: ReceivedSignal = (signal) => this.#early.push(signal);
  readonly #listener: ReceivedSignal = (signal) => this.#received(signal);

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#listener);
  }

  /** Calls `received` for every signal, past and future; returns a function that stops listening. */
  listen(received: ReceivedSignal): () => void {
    this.#received = received;
    for (const signal of this.#early.splice(0)) received(signal);
    return () => {
      for (const signal of SIGNALS) process.off(signal, this.#listener);
    };
  }
}

/** Waits for a signal that asks this process to end. */
export interface EndSignal {
  /** Resolves with the first one. */
  readonly came: Promise<NodeJS.Signals>;
  /** Stops listening, so that signals have their default effect again. */
  stop(): void;
}

export function endSignal(): EndSignal {
  const names = [
    'SIGINT',
    'SIGTERM',
    'SIGHUP',
    ...(process.platform === 'win32' ? ['SIGBREAK' as const] : []),
  ] as const;
  let resolve: (signal: NodeJS.Signals) => void = () => undefined;
  const came = new Promise<NodeJS.Signals>((done) => {
    resolve = done;
  });
  for (const name of names) process.once(name, resolve);
  return {
    came,
    stop: () => {
      for (const name of names) process.off(name, resolve);
    },
  };
}
