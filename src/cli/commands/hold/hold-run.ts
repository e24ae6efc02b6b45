import type { ControlClient } from '../../../control/control-client.ts';
import type { LiveRequest } from '../../../control/control-protocol.ts';
import type { InterceptMode } from '../../../intercept/held-message.ts';
import type { HoldState } from '../../../intercept/session-control.ts';
import type { Direction } from '../../../model/entry.ts';
import { ReelError } from '../../../model/errors.ts';
import { doneLine, type OrderOutcome, refusedLine } from './hold-lines.ts';
import { readOrder } from './hold-order.ts';
import type { HoldPrinter } from './hold-printer.ts';
import type { HoldWaiting } from './hold-waiting.ts';

type HoldOutcome = Omit<OrderOutcome, 'line' | 'action'>;

/** Executes the commands from the lines of input and prints the outcome of each. */
export class HoldRun {
  readonly #client: ControlClient;
  readonly #waiting: HoldWaiting;
  readonly #printer: HoldPrinter;
  readonly #before: HoldState;
  readonly #open = new Set<Promise<void>>();
  /** The mode and filter that this command set last. */
  #given: Pick<HoldState, 'mode' | 'filter'> | undefined;
  #lines = 0;
  #onRefused: (error: ReelError) => void = () => undefined;
  /** Rejects with the first command that failed. */
  readonly refused: Promise<never>;

  constructor(client: ControlClient, waiting: HoldWaiting, printer: HoldPrinter) {
    this.#client = client;
    this.#waiting = waiting;
    this.#printer = printer;
    this.#before = client.state;
    this.refused = new Promise((_, reject) => {
      this.#onRefused = reject;
    });
    this.refused.catch(() => undefined);
  }

  /** Takes control of the session and holds the messages that match the filter. */
  async begin(filter: string | undefined): Promise<void> {
    await this.#client.takeCharge();
    await this.#setMode('intercept', filter);
  }

  /**
   * Takes the next line of input. Commands are sent at once and in order; their outcomes are printed as they arrive.
   */
  take(line: string): void {
    const number = ++this.#lines;
    if (line.trim() === '') return;
    const work = this.#follow(line, number);
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  /** Reports a line that cannot be read at all. */
  refuse(message: string): void {
    this.#reportRefused(++this.#lines, new ReelError('usage', message));
  }

  /** Resolves when every line has its outcome. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  /** Restores the session's mode and filter, unless another client has changed them in the meantime. */
  async giveBack(): Promise<void> {
    const { mode, filter } = this.#client.state;
    if (this.#given?.mode !== mode || this.#given.filter !== filter) return;
    await this.#client.setMode(this.#before.mode, this.#before.filter);
  }

  async #follow(line: string, number: number): Promise<void> {
    let id: string | undefined;
    try {
      const { action, request } = readOrder(line, (given) => {
        id = this.#waiting.claim(given);
        return id;
      });
      const outcome = await this.#outcomeOf(request);
      this.#printer.print(doneLine({ line: number, action, ...outcome }));
    } catch (error) {
      if (id !== undefined) this.#waiting.unclaim(id);
      this.#reportRefused(number, error, id);
    }
  }

  #reportRefused(line: number, error: unknown, id?: string): void {
    this.#printer.print(refusedLine(line, error, id));
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof ReelError && error.hint !== undefined ? { hint: error.hint } : {};
    this.#onRefused(new ReelError('session-refused', `Line ${line} is invalid: ${message}`, { cause: error, ...hint }));
  }

  async #outcomeOf(request: LiveRequest): Promise<HoldOutcome> {
    const client = this.#client;
    switch (request.type) {
      case 'decide': {
        const { type, id, ...requested } = request;
        const direction = this.#waiting.find(id)?.direction;
        const reply = client.decide(id, requested);
        const schemaHints = requested.action === 'edit' ? this.#schemaHints(direction, requested.text) : [];
        const [{ hints }, more] = await Promise.all([reply, schemaHints]);
        return { id, hints: [...hints, ...more] };
      }
      case 'inject': {
        const { type, ...injection } = request;
        const { direction, text } = injection;
        const [{ hints }, more] = await Promise.all([client.inject(injection), this.#schemaHints(direction, text)]);
        return { hints: [...hints, ...more] };
      }
      case 'mode':
        return { hints: await this.#setMode(request.mode, request.filter) };
      case 'save':
        return { path: await client.save(request.path), hints: [] };
      default:
        throw new ReelError('usage', 'This session does not support that');
    }
  }

  async #setMode(mode: InterceptMode, filter: string | undefined): Promise<readonly string[]> {
    const { hints } = await this.#client.setMode(mode, filter);
    this.#given = { mode: this.#client.state.mode, filter: this.#client.state.filter };
    return hints;
  }

  async #schemaHints(direction: Direction | undefined, text: string): Promise<string[]> {
    if (direction !== 'client_to_server') return [];
    const { argumentHints } = await import('./hold-hints.ts');
    return argumentHints(text, this.#client.facts.trace);
  }
}
