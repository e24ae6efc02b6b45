import type { EngineQuestion, FromEngine, RemoteEngine, ToEngine } from '../model/engine-protocol.ts';
import type { ShownFacts, TimelineFacts } from '../model/timeline/timeline-facts.ts';

/** The events that the engine sends to the page. */
export interface EngineEvents {
  onTimeline(film: TimelineFacts): void;
  onShown(shown: ShownFacts): void;
  /** The engine failed to start or crashed. */
  onBroken(why: string): void;
}

interface WaitingQuestion {
  resolve(result: unknown): void;
  reject(fault: Error): void;
}

/** Connects the page to the engine in its Worker. */
export function linkEngine(worker: Worker, events: EngineEvents): RemoteEngine {
  const waiting = new Map<number, WaitingQuestion>();
  let lastRef = 0;
  worker.onmessage = ({ data }: MessageEvent<FromEngine>) => {
    if ('tells' in data) {
      if (data.tells === 'film') events.onTimeline(data.timeline);
      else events.onShown(data.shown);
      return;
    }
    const requested = waiting.get(data.ref);
    waiting.delete(data.ref);
    if ('fault' in data) requested?.reject(new Error(data.fault));
    else requested?.resolve(data.result);
  };
  worker.onerror = ({ message }) => events.onBroken(message);
  const ask = (method: EngineQuestion, given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const ref = ++lastRef;
      waiting.set(ref, { resolve, reject });
      const question: ToEngine = { ref, method, given };
      worker.postMessage(question);
    });
  return new Proxy({} as RemoteEngine, {
    get:
      (_, method) =>
      (...given: unknown[]) =>
        ask(method as EngineQuestion, given),
  });
}
