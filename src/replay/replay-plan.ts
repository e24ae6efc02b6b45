import { elementsOf, ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { isRedacted } from '../model/placeholder.ts';
import type { ClientStep } from '../recorded/recorded-dialogue.ts';
import { PLACEHOLDERS } from '../redact/placeholder.ts';
import type { ReplayOptions } from './replay-options.ts';

/** What is to become of a message of the client. */
export type StepAction =
  | { readonly kind: 'send' }
  /** It belongs to what the user did not select, or answers what only the server can ask again. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'refuse'; readonly reason: string };

const SEND: StepAction = { kind: 'send' };

/** What the user wants to be sent. */
export type ReplayChoices = Pick<ReplayOptions, 'handshake' | 'allowRedacted' | 'readOnly' | 'selects'>;

const HANDSHAKE: ReadonlySet<string | undefined> = new Set(['initialize', 'notifications/initialized']);

/** Decides which messages of a recording are sent. */
export class ReplayPlan {
  readonly #choices: ReplayChoices;
  readonly #readOnlyTools = new Map<string, boolean>();

  constructor(choices: ReplayChoices) {
    this.#choices = choices;
  }

  /** Learns from an answer to `tools/list` which tools only read. What is told later counts. */
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
    if (step.kind === 'invalid') return { kind: 'skip', reason: 'it is no JSON-RPC message' };
    const hidden = allowRedacted ? undefined : redactedIn(step.text);
    if (hidden !== undefined) return { kind: 'refuse', reason: `it holds ${hidden}` };
    if (readOnly && step.method === 'tools/call' && this.#readOnlyTools.get(step.name ?? '') !== true) {
      return { kind: 'skip', reason: 'the tool is not marked as read-only' };
    }
    return SEND;
  }
}

/** The first placeholder in a message, without the digits that say nothing to anybody. */
export function redactedIn(text: JsonText): string | undefined {
  // Looking for the word first is many times as fast, and hardly any message has it.
  if (!isRedacted(text)) return undefined;
  return text.match(PLACEHOLDERS)?.[0].replace(/:[0-9a-f]{8}\]$/, ']');
}
