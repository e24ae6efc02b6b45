import { elementsOf, ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { isRedacted } from '../model/placeholder.ts';
import type { ClientStep } from '../recorded/recorded-dialogue.ts';
import { PLACEHOLDERS } from '../redact/placeholder.ts';
import type { ReplayOptions } from './replay-options.ts';

/** What to do with a recorded client message. */
export type StepAction =
  | { readonly kind: 'send' }
  /** The user did not select it, or it is a response, which is sent only when the server asks again. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'refuse'; readonly reason: string };

const SEND: StepAction = { kind: 'send' };

/** The options that decide what is sent. */
export type ReplayChoices = Pick<ReplayOptions, 'handshake' | 'allowRedacted' | 'readOnly' | 'selects'>;

const HANDSHAKE: ReadonlySet<string | undefined> = new Set(['initialize', 'notifications/initialized']);

/** Decides which messages of a recording to send. */
export class ReplayPlan {
  readonly #choices: ReplayChoices;
  readonly #readOnlyTools = new Map<string, boolean>();

  constructor(choices: ReplayChoices) {
    this.#choices = choices;
  }

  /** Learns from a `tools/list` response which tools are read-only. Later responses win. */
  learnTools(answer: JsonText): void {
    const list = ObjectView.of(answer)?.object('result')?.textOf('tools') ?? '';
    for (const { start, end } of elementsOf(list) ?? []) {
      const tool = ObjectView.of(list.slice(start, end));
      const name = tool?.string('name');
      if (name !== undefined)
        this.#readOnlyTools.set(name, tool?.object('annotations')?.value('readOnlyHint') === true);
    }
  }

  actionOf(step: ClientStep): StepAction {
    const { handshake, allowRedacted, readOnly, selects } = this.#choices;
    if (step.kind === 'response') return { kind: 'leave' };
    const opens = HANDSHAKE.has(step.method);
    if (opens && !handshake) return { kind: 'leave' };
    if (!opens && selects !== undefined && !selects(step)) return { kind: 'leave' };
    if (step.kind === 'invalid') return { kind: 'skip', reason: 'it is not a JSON-RPC message' };
    const hidden = allowRedacted ? undefined : redactedIn(step.text);
    if (hidden !== undefined) return { kind: 'refuse', reason: `it contains ${hidden}` };
    if (readOnly && step.method === 'tools/call' && this.#readOnlyTools.get(step.name ?? '') !== true) {
      return { kind: 'skip', reason: 'the tool is not marked read-only' };
    }
    return SEND;
  }
}

/** The first redaction placeholder in a message, without its digits, which mean nothing to the user. */
export function redactedIn(text: JsonText): string | undefined {
  // Searching for the marker first is many times as fast, and few messages contain it.
  if (!isRedacted(text)) return undefined;
  return text.match(PLACEHOLDERS)?.[0].replace(/:[0-9a-f]{8}\]$/, ']');
}
