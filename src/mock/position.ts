import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { BoundValues } from '../recorded/bound-values.ts';
import type { Scene } from './recorded-exchange.ts';
import { Subscriptions } from './subscriptions.ts';

/** How far one client is in the recording. */
export class Position {
  readonly bound: BoundValues = new BoundValues();
  readonly subscriptions: Subscriptions = new Subscriptions();
  readonly #preferred: number | undefined;
  readonly #used = new Set<Scene>();
  readonly #suspended = new Map<string, Suspended>();
  #states = 0;
  readonly #queues = new Map<readonly Scene[], Queue>();

  /** Of several recorded conversations, what was said in the preferred one comes first. */
  constructor(preferred?: number) {
    this.#preferred = preferred;
  }

  /** Remembers where a scene is to go on once the client has answered; returns what it has to send along then. */
  suspend(suspended: Suspended): string {
    const state = `${STATE}${++this.#states}`;
    this.#suspended.set(state, suspended);
    return state;
  }

  /** The scene that a request wants to go on with, if it is one. */
  resume(request: JsonText): Suspended | undefined {
    if (this.#suspended.size === 0 || !request.includes(STATE)) return undefined;
    const state = ObjectView.of(request)?.object('params')?.string('requestState') ?? '';
    const suspended = this.#suspended.get(state);
    this.#suspended.delete(state);
    return suspended;
  }

  /** The next of these scenes that was not used yet. */
  next(scenes: readonly Scene[]): Scene | undefined {
    const queue = this.#queues.get(scenes) ?? this.#queue(scenes);
    while (queue.next < queue.scenes.length) {
      const scene = queue.scenes[queue.next++];
      if (scene === undefined || this.#used.has(scene)) continue;
      this.#used.add(scene);
      queue.last = scene;
      return scene;
    }
    return undefined;
  }

  /** The one of these scenes that was used last. */
  last(scenes: readonly Scene[]): Scene | undefined {
    return this.#queues.get(scenes)?.last ?? scenes.at(-1);
  }

  #queue(scenes: readonly Scene[]): Queue {
    const isPreferred = ({ conversation }: Scene): boolean => conversation === this.#preferred;
    const inOrder = [...scenes.filter(isPreferred), ...scenes.filter((scene) => !isPreferred(scene))];
    const queue = { scenes: inOrder, next: 0, last: undefined };
    this.#queues.set(scenes, queue);
    return queue;
  }
}

/** What states that are none of the recorded server's begin with. */
const STATE = 'mcpreel-state-';

/** A scene that waits for the client. */
export interface Suspended {
  readonly scene: Scene;
  readonly isFirst: boolean;
  readonly next: number;
}

interface Queue {
  readonly scenes: readonly Scene[];
  next: number;
  last: Scene | undefined;
}
