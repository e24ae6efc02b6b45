import type { Call } from '../analysis/calls/call.ts';
import { bodyOf, nameIn } from '../analysis/calls/call-reply.ts';
import { removeAt } from '../json/splice.ts';
import type { Entry, Envelope, JsonText, MessageEntry, MessageKind } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { envelopeOf, readEnvelope } from '../protocol/envelope.ts';
import { LateTracker } from './late-tracker.ts';

/**
 * Whose view of a session is wanted, where somebody stood between the two: what the target was sent and said itself, or
 * what the client sent and was told.
 */
export type DialogueSide = 'target' | 'client';

interface DraftMessage {
  /** The message as the wanted side saw it. */
  readonly text: JsonText;
  readonly entry: MessageEntry;
  readonly kind: MessageKind;
  /** The exact text of its id. */
  readonly id: JsonText | undefined;
  readonly method: string | undefined;
}

/** Something that the client said. */
export interface ClientStep extends DraftMessage {
  readonly from: 'client';
  /** Its place among `steps` of the dialogue, from 0. */
  readonly index: number;
  /** Of a request: the answer to it, if there is one. */
  readonly answer: ServerMessage | undefined;
  /** Of a response: the server's request that it answers, if that is known. */
  readonly asked: ServerMessage | undefined;
  /** Of a request: the step that cancelled it. */
  readonly cancelledBy: number | undefined;
  /** Of a request whose answer wanted input: the step that gave it. */
  readonly retriedBy: number | undefined;
  /** Of a request: the tool, prompt or resource that it names. */
  readonly name: string | undefined;
}

/** Something that the server said. */
export interface ServerMessage extends DraftMessage {
  readonly from: 'server';
  /** Of a response: the step that it answers, by its index. */
  readonly answers: number | undefined;
  /** Of a request: the step that answers it, by its index. */
  readonly answeredBy: number | undefined;
  /** The request that it was said for while that ran (progress, log lines, questions), by its index, where that is known. */
  readonly serves: number | undefined;
}

export type DialogueMessage = ClientStep | ServerMessage;

/** What one client and its server said to each other. */
export interface RecordedDialogue {
  readonly conversation: number;
  /** All that was said, in order. */
  readonly messages: readonly DialogueMessage[];
  /** What the client said, in order. */
  readonly steps: readonly ClientStep[];
  /** What the server said that answers nothing, in order: questions and notifications. */
  readonly unprompted: readonly ServerMessage[];
}

/** Which dialogue a message belongs to. */
export function conversationOf({ conversation = 0 }: MessageEntry): number {
  return conversation;
}

/** The dialogues of a session as one side saw them, in the order in which they began. */
export async function dialoguesOf(session: RecordedSession, side: DialogueSide): Promise<RecordedDialogue[]> {
  const scribe = new DialogueScribe(side, STAMPING.has(session.format));
  for await (const batch of session.batches()) for (const entry of batch) scribe.take(entry);
  return scribe.end();
}

/** Formats that keep the time of a message among its members, where it was not when that was said. */
const STAMPING: ReadonlySet<string> = new Set(['jsonrpc', 'inspector']);
const STAMPS = ['timestamp_ms', 'timestamp'];

type DialogueDraft<T> = { -readonly [Key in keyof T]: T[Key] };
type StepDraft = DialogueDraft<ClientStep>;
type ServerDraft = DialogueDraft<ServerMessage>;

interface OpenDialogue {
  readonly conversation: number;
  readonly messages: (StepDraft | ServerDraft)[];
  readonly steps: StepDraft[];
  readonly unprompted: ServerDraft[];
}

class DialogueScribe {
  readonly #side: DialogueSide;
  readonly #isStamped: boolean;
  readonly #tracker = new LateTracker();
  readonly #dialogues = new Map<number, OpenDialogue>();
  /** What can be answered, by proxy id. */
  readonly #requests = new Map<string, StepDraft | ServerDraft>();
  /** Sequences count from 0 without gaps, but for what this side has not seen. */
  readonly #bySequence: (StepDraft | ServerDraft | undefined)[] = [];

  constructor(side: DialogueSide, isStamped: boolean) {
    this.#side = side;
    this.#isStamped = isStamped;
  }

  take(entry: Entry): void {
    const calls = this.#tracker.take(entry);
    if (entry.kind === 'message' && this.#wasSeen(entry)) this.#add(entry);
    for (const call of calls) this.#note(call);
  }

  end(): RecordedDialogue[] {
    for (const call of this.#tracker.end()) this.#note(call);
    return [...this.#dialogues.values()];
  }

  /** What was held back never reached the other side, and what was slipped in never came from this one. */
  #wasSeen({ direction, dropped, injected }: MessageEntry): boolean {
    const isSender = (this.#side === 'client') === (direction === 'client_to_server');
    return isSender ? injected !== true : dropped !== true;
  }

  #textOf({ direction, text, modified, original }: MessageEntry): JsonText {
    const isSender = (this.#side === 'client') === (direction === 'client_to_server');
    const seen = isSender && modified === true ? (original ?? text) : text;
    if (!this.#isStamped || !seen.includes('"timestamp')) return seen;
    return STAMPS.reduce((rest, key) => removeAt(rest, [key]) ?? rest, seen);
  }

  #add(entry: MessageEntry): void {
    const dialogue = this.#dialogueOf(conversationOf(entry));
    const text = this.#textOf(entry);
    const envelope = text === entry.text ? envelopeOf(entry) : readEnvelope(text);
    const isStep = entry.direction === 'client_to_server';
    const message = isStep ? this.#step(text, entry, envelope, dialogue) : this.#reply(text, entry, envelope, dialogue);
    dialogue.messages.push(message);
    if (envelope.kind === 'request') this.#requests.set(entry.proxyId, message);
    this.#bySequence[entry.sequence] = message;
  }

  #step(text: JsonText, entry: MessageEntry, { kind, id, method }: Envelope, dialogue: OpenDialogue): StepDraft {
    const requested = this.#answeredBy(kind, entry);
    const step: StepDraft = {
      text,
      entry,
      kind,
      id,
      method,
      from: 'client',
      index: dialogue.steps.length,
      answer: undefined,
      asked: requested?.from === 'server' ? requested : undefined,
      cancelledBy: undefined,
      retriedBy: undefined,
      name: nameOf(entry),
    };
    if (requested?.from === 'server') requested.answeredBy ??= step.index;
    dialogue.steps.push(step);
    return step;
  }

  #reply(text: JsonText, entry: MessageEntry, { kind, id, method }: Envelope, dialogue: OpenDialogue): ServerDraft {
    const requested = this.#answeredBy(kind, entry);
    const step = requested?.from === 'client' ? requested : undefined;
    const reply: ServerDraft = {
      text,
      entry,
      kind,
      id,
      method,
      from: 'server',
      answers: step?.index,
      answeredBy: undefined,
      serves: undefined,
    };
    if (step !== undefined) step.answer ??= reply;
    if (kind === 'request' || kind === 'notification') dialogue.unprompted.push(reply);
    return reply;
  }

  #answeredBy(kind: MessageKind, { correlatedId }: MessageEntry): StepDraft | ServerDraft | undefined {
    return kind === 'response' && correlatedId !== undefined ? this.#requests.get(correlatedId) : undefined;
  }

  #dialogueOf(conversation: number): OpenDialogue {
    const known = this.#dialogues.get(conversation);
    if (known !== undefined) return known;
    const dialogue: OpenDialogue = { conversation, messages: [], steps: [], unprompted: [] };
    this.#dialogues.set(conversation, dialogue);
    return dialogue;
  }

  #note({ direction, request, rounds, name, cancelledBy, progress, logs, nested }: Call): void {
    if (direction !== 'client_to_server') return;
    const requested = [request, ...rounds.map(({ retry }) => retry)].map(({ sequence }) => this.#bySequence[sequence]);
    const steps = requested.filter((step) => step?.from === 'client');
    for (const [index, step] of steps.entries()) {
      step.name = name;
      step.retriedBy = steps[index + 1]?.index;
    }
    const last = steps.at(-1);
    if (last === undefined) return;
    const canceller = cancelledBy === undefined ? undefined : this.#bySequence[cancelledBy];
    if (canceller?.from === 'client') last.cancelledBy = canceller.index;
    for (const sequence of [...progress, ...logs, ...nested]) {
      const served = this.#bySequence[sequence];
      if (served?.from === 'server') served.serves = servedStep(steps, sequence)?.index;
    }
  }
}

/** The tool, prompt or resource that a request names. */
function nameOf(entry: MessageEntry): string | undefined {
  const { kind, method } = envelopeOf(entry);
  return kind === 'request' && method !== undefined ? nameIn(entry, method, bodyOf(entry)) : undefined;
}

/** Of a request and its retries the one that was running when something was said. */
function servedStep(steps: readonly StepDraft[], sequence: number): StepDraft | undefined {
  return steps.findLast(({ entry }) => entry.sequence < sequence);
}
