import type { Call } from '../analysis/calls/call.ts';
import { bodyOf, nameIn } from '../analysis/calls/call-reply.ts';
import { CallTracker } from '../analysis/calls/call-tracker.ts';
import { removeAt } from '../json/splice.ts';
import type { Entry, Envelope, JsonText, MessageEntry, MessageKind } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { envelopeOf, readEnvelope } from '../protocol/envelope.ts';

/**
 * Which side's view of a session is needed if messages were intercepted: what the target received and sent, or what the
 * client sent and received.
 */
export type DialogueSide = 'target' | 'client';

interface DraftMessage {
  /** The message as that side saw it. */
  readonly text: JsonText;
  readonly entry: MessageEntry;
  readonly kind: MessageKind;
  /** The exact text of its id. */
  readonly id: JsonText | undefined;
  readonly method: string | undefined;
}

/** A message of the client. */
export interface ClientStep extends DraftMessage {
  readonly from: 'client';
  /** Its index in the dialogue's `steps`, from 0. */
  readonly index: number;
  /** For a request: its response, if there is one. */
  readonly answer: ServerMessage | undefined;
  /** For a response: the server request that it answers, if known. */
  readonly answeredRequest: ServerMessage | undefined;
  /** For a request: the step that cancelled it. */
  readonly cancelledBy: number | undefined;
  /** For a request whose result required input: the step that retried it. */
  readonly retriedBy: number | undefined;
  /** For a request: the tool, prompt or resource that it names. */
  readonly name: string | undefined;
}

/** A message of the server. */
export interface ServerMessage extends DraftMessage {
  readonly from: 'server';
  /** For a response: the index of the step that it answers. */
  readonly answers: number | undefined;
  /** For a request: the index of the step that answers it. */
  readonly answeredBy: number | undefined;
  /** The index of the client request it was sent for (progress, log lines, server requests), if known. */
  readonly serves: number | undefined;
}

export type DialogueMessage = ClientStep | ServerMessage;

/** The messages between one client and its server. */
export interface RecordedDialogue {
  readonly conversation: number;
  /** All messages in order. */
  readonly messages: readonly DialogueMessage[];
  /** The client's messages in order. */
  readonly steps: readonly ClientStep[];
  /** The server's requests and notifications in order. */
  readonly unprompted: readonly ServerMessage[];
}

/** The dialogue that a message belongs to. */
export function conversationOf({ conversation = 0 }: MessageEntry): number {
  return conversation;
}

/** The dialogues of a session as one side saw them, in the order they began. */
export async function dialoguesOf(session: RecordedSession, side: DialogueSide): Promise<RecordedDialogue[]> {
  const scribe = new DialogueScribe(side, STAMPING.has(session.format));
  for await (const batch of session.batches()) for (const entry of batch) scribe.take(entry);
  return scribe.end();
}

/** Formats that add the timestamp as a member of the message itself. The peers never sent that member. */
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
  /** Requests of either side, by proxy id. */
  readonly #requests = new Map<string, StepDraft | ServerDraft>();
  /** Indexed by sequence number: from 0 without gaps, except for messages that this side has not seen. */
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

  /** A dropped message never reached its receiver, and an injected one never came from its sender. */
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
      answeredRequest: requested?.from === 'server' ? requested : undefined,
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

/** Of a request and its retries, the one that was running when a message was sent. */
function servedStep(steps: readonly StepDraft[], sequence: number): StepDraft | undefined {
  return steps.findLast(({ entry }) => entry.sequence < sequence);
}

const NONE: readonly Call[] = [];

/**
 * Tracks the calls of a session, starting with the first message that may belong to a call besides its request and
 * response. Many sessions have no such message, and tracking takes as long as reading.
 */
class LateTracker {
  #tracker: CallTracker | undefined;
  /** Entries that have not been tracked yet. */
  #kept: Entry[] = [];

  /** Adds the next entry; returns the calls that it completes. */
  take(entry: Entry): readonly Call[] {
    if (this.#tracker !== undefined) return this.#tracker.take(entry).calls;
    this.#kept.push(entry);
    return mayBelongToCall(entry) ? this.#begin() : NONE;
  }

  /** The calls that are still open; none if no tracking was needed. */
  end(): Iterable<Call> {
    return this.#tracker?.end() ?? NONE;
  }

  #begin(): readonly Call[] {
    const tracker = new CallTracker();
    const calls = this.#kept.flatMap((entry) => tracker.take(entry).calls);
    this.#tracker = tracker;
    this.#kept = [];
    return calls;
  }
}

/**
 * Whether a message may belong to a call: a server request or notification, a cancellation, or an `input_required`
 * result.
 */
function mayBelongToCall(entry: Entry): boolean {
  if (entry.kind !== 'message') return false;
  const { kind, method } = envelopeOf(entry);
  if (kind === 'response') return entry.text.includes('"input_required"');
  return method !== undefined && (entry.direction === 'server_to_client' || method === 'notifications/cancelled');
}
