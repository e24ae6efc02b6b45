import { inOwnMemory } from '../../json/own-memory.ts';
import { utf8Length } from '../../json/utf8-length.ts';
import type { Direction, Entry } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';
import { toolPageOf } from '../contract/tool-listing.ts';
import { type MeasuredCall, measureCall } from './measured-call.ts';
import { type CallFigures, CallTallies, CallTally } from './tally.ts';

/** Statistics for the calls of one tool. */
export interface ToolStats extends CallFigures {
  readonly name: string;
  /** The size of its definition in a model's context, in bytes; absent if the definition was not recorded. */
  readonly definitionBytes: number | undefined;
}

/** Statistics for the requests of one method, tool calls included. */
export interface MethodStats extends CallFigures {
  readonly method: string;
  readonly direction: Direction;
}

export interface Stats {
  readonly messages: number;
  /** Entries that are not messages. */
  readonly events: number;
  readonly total: CallFigures;
  /** Sorted by the number of calls, descending; tools without calls come last. */
  readonly tools: readonly ToolStats[];
  readonly methods: readonly MethodStats[];
  /** The total over all listed tools. */
  readonly definitionBytes: number;
  /** Tools that the server listed and that were not called. */
  readonly neverCalled: readonly string[];
  /** Tools that were called but not listed; empty if there was no listing. */
  readonly notAdvertised: readonly string[];
}

/** Aggregates the statistics of one session, or of several sessions of the same server. */
export class SessionStats {
  #messages = 0;
  #events = 0;
  readonly #total = new CallTally();
  readonly #tools = new CallTallies();
  readonly #methods = { client_to_server: new CallTallies(), server_to_client: new CallTallies() };
  /** The bytes of each listed definition; absent until the tools are listed. */
  #advertised: Map<string, number> | undefined;

  takeEntry(entry: Entry): void {
    if (entry.kind === 'message') this.#messages++;
    else this.#events++;
  }

  takeCall(call: Call, measured: MeasuredCall = measureCall(call)): void {
    this.#total.add(measured);
    this.#methods[call.direction].add(call.method, measured);
    if (call.direction !== 'client_to_server') return;
    if (call.method === 'tools/call') this.#tools.add(call.name ?? '', measured);
    else this.#noteDefinitions(call);
  }

  result(): Stats {
    const called = this.#tools.figures();
    const advertised = [...(this.#advertised ?? [])];
    const neverCalled = advertised.map(([name]) => name).filter((name) => !this.#tools.has(name));
    const withDefinition = ([name, figures]: readonly [string, CallFigures]): ToolStats => ({
      name,
      definitionBytes: this.#advertised?.get(name),
      ...figures,
    });
    return {
      messages: this.#messages,
      events: this.#events,
      total: this.#total.figures(),
      tools: [...called, ...neverCalled.map((name) => [name, new CallTally().figures()] as const)].map(withDefinition),
      methods: [...this.#methodsOf('client_to_server'), ...this.#methodsOf('server_to_client')],
      definitionBytes: advertised.reduce((sum, [, bytes]) => sum + bytes, 0),
      neverCalled,
      notAdvertised: called.map(([name]) => name).filter((name) => this.#advertised?.has(name) === false),
    };
  }

  #noteDefinitions(call: Call): void {
    const page = toolPageOf(call);
    if (page === undefined) return;
    this.#advertised ??= new Map();
    for (const { name, text } of page.tools) this.#advertised.set(inOwnMemory(name), utf8Length(text));
  }

  #methodsOf(direction: Direction): MethodStats[] {
    return this.#methods[direction].figures().map(([method, figures]) => ({ method, direction, ...figures }));
  }
}
