import { inOneLine } from '../../src/model/errors.ts';
import { Engine } from './engine.ts';
import type { FromEngine, ToEngine } from './engine-protocol.ts';

/** The part of a Worker's scope that this file uses; the page's TypeScript library has no types for it. */
interface WorkerScope {
  postMessage(message: FromEngine): void;
  onmessage: ((event: MessageEvent<ToEngine>) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;

const engine = new Engine(
  {
    onTimeline: (timeline) => scope.postMessage({ tells: 'film', timeline }),
    onShown: (shown) => scope.postMessage({ tells: 'shown', shown }),
  },
  () => performance.now(),
);

scope.onmessage = ({ data }) => void answer(data);

async function answer({ ref, method, given }: ToEngine): Promise<void> {
  try {
    const ask = engine[method] as (...given: readonly unknown[]) => unknown;
    scope.postMessage({ ref, result: await ask.apply(engine, [...given]) });
  } catch (error) {
    scope.postMessage({ ref, fault: inOneLine(error) });
  }
}
