import { DEFAULT_MAX_MESSAGE_BYTES } from '../bounded-lines.ts';
import type { HeaderPair, HttpTarget } from '../http/http-target.ts';
import { type AnswerTaker, type LinkRequest, RunningExchange } from './running-exchange.ts';
import { SharedPause } from './shared-pause.ts';
import type { TargetLinkEvents } from './target-link.ts';

export interface HttpLinkOptions {
  /** Used by this link only, which closes it. */
  readonly target: HttpTarget;
  /** Added to every request, replacing headers of the same name. Never reported. */
  readonly headers: readonly HeaderPair[];
  readonly nowMs: () => number;
  /** The longest text that is accepted as a message. */
  readonly maxMessageBytes?: number | undefined;
}

/** Runs the HTTP exchanges of one link with its target, and reports each one when it is over. */
export class LinkExchanges {
  readonly #options: HttpLinkOptions;
  readonly #events: TargetLinkEvents;
  readonly #running = new Set<RunningExchange>();
  readonly #pause = new SharedPause();
  #count = 0;

  constructor(options: HttpLinkOptions, events: TargetLinkEvents) {
    this.#options = options;
    this.#events = events;
  }

  begin(request: LinkRequest, take: AnswerTaker): RunningExchange {
    const { target, headers, nowMs, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = this.#options;
    const running = new RunningExchange(
      {
        exchange: ++this.#count,
        target,
        addedHeaders: headers,
        pause: this.#pause,
        maxMessageBytes,
        nowMs,
        onRedirected: (reported) => this.#events.onExchange(reported),
        onOver: (reported) => {
          this.#running.delete(running);
          this.#events.onExchange(reported);
        },
      },
      request,
      take,
    );
    this.#running.add(running);
    return running;
  }

  /** Stops reading responses until `resume`. */
  pause(): void {
    this.#pause.pause();
  }

  resume(): void {
    this.#pause.resume();
  }

  /** Aborts every exchange. Resolves when all are reported. */
  async abortAll(): Promise<void> {
    this.#pause.resume();
    const all = [...this.#running];
    for (const running of all) running.abort();
    await Promise.all(all.map(({ over }) => over));
  }
}
