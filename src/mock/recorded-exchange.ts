import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { idKey } from '../protocol/envelope.ts';
import { isModern } from '../protocol/era.ts';
import { idAt } from '../protocol/id-splice.ts';
import type { ClientStep, RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';

/**
 * What a message of the server is to the one of the client that it is said for: its answer, something that belongs to it
 * (progress, a log line, a question), or something that merely came then.
 */
export type ReplyRole = 'answer' | 'served' | 'aside';

/** Something that the server said, in its place. */
export interface RecordedReply {
  readonly message: ServerMessage;
  readonly role: ReplyRole;
  /** Questions of the server that were answered by then, and were not before. */
  readonly waitsFor: readonly ServerMessage[];
  /** How long after what came before it was said. */
  readonly delayMs: number;
  /** The request for a subscription on whose stream it came. */
  readonly subscription: ClientStep | undefined;
}

/** One message of the recorded client with all that the server said for it. */
export interface RecordedExchange {
  readonly conversation: number;
  readonly step: ClientStep;
  readonly method: string;
  readonly isRequest: boolean;
  /** Whether it says by itself which revision it follows. */
  readonly isModern: boolean;
  /** The token under which it wanted to hear of its progress. */
  readonly token: JsonText | undefined;
  readonly cues: readonly RecordedReply[];
}

/** The scenes of dialogues, in the order of their first messages. Notifications for which nothing was said have none. */
export function scenesOf(dialogues: readonly RecordedDialogue[]): RecordedExchange[] {
  const scenes = dialogues.flatMap((dialogue) => new ExchangeWriter(dialogue).write());
  return scenes.sort((a, b) => a.step.entry.sequence - b.step.entry.sequence);
}

interface OpenRecordedExchange extends RecordedExchange {
  readonly cues: RecordedReply[];
  /** When something was last said in it. */
  lastMs: number;
  /** Questions that were answered since the last cue. */
  answered: ServerMessage[];
}

class ExchangeWriter {
  readonly #dialogue: RecordedDialogue;
  readonly #byStep = new Map<number, OpenRecordedExchange>();
  readonly #listens = new Map<string | number, ClientStep>();
  readonly #asked = new Map<ServerMessage, OpenRecordedExchange>();
  /** The scene of the newest message of the client. */
  #latest: OpenRecordedExchange | undefined;
  /** What the server said before the client said anything. */
  readonly #early: ServerMessage[] = [];

  constructor(dialogue: RecordedDialogue) {
    this.#dialogue = dialogue;
  }

  write(): RecordedExchange[] {
    for (const message of this.#dialogue.messages) {
      if (message.from === 'client') this.#step(message);
      else this.#said(message);
    }
    return [...this.#byStep.values()].filter(
      (scene) => (scene.isRequest || scene.cues.length > 0) && !isHeadersFault(scene),
    );
  }

  #step(step: ClientStep): void {
    if (step.kind === 'response') this.#answered(step);
    if (step.method === undefined || step.kind === 'response') return;
    const { conversation } = this.#dialogue;
    const isRequest = step.kind === 'request';
    const scene: OpenRecordedExchange = {
      conversation,
      step,
      method: step.method,
      isRequest,
      isModern: isModern(step.text),
      token: isRequest ? idAt(step.text, 'wantedProgress') : undefined,
      cues: [],
      lastMs: step.entry.atMs,
      answered: [],
    };
    this.#byStep.set(step.index, scene);
    this.#latest = scene;
    if (step.method === 'subscriptions/listen' && step.id !== undefined) this.#listens.set(idKey(step.id), step);
    for (const early of this.#early.splice(0)) this.#add(early, scene, 'aside');
  }

  /** What comes after the client's answer comes because of it, in the scene of the question. */
  #answered({ asked, entry }: ClientStep): void {
    const scene = asked && this.#asked.get(asked);
    if (asked === undefined || scene === undefined) return;
    scene.answered.push(asked);
    scene.lastMs = Math.max(scene.lastMs, entry.atMs);
    this.#latest = scene;
  }

  #said(message: ServerMessage): void {
    if (message.kind === 'response') {
      const scene = message.answers === undefined ? undefined : this.#byStep.get(message.answers);
      const isFirst = scene !== undefined && !scene.cues.some(({ role }) => role === 'answer');
      if (isFirst) this.#add(message, scene, 'answer');
      return;
    }
    const subscription = this.#subscriptionOf(message);
    const isWelcome = message.method === 'notifications/subscriptions/acknowledged';
    const serves = isWelcome && subscription !== undefined ? subscription.index : message.serves;
    const scene = serves === undefined ? this.#latest : this.#byStep.get(serves);
    if (scene === undefined) this.#early.push(message);
    else this.#add(message, scene, serves === undefined ? 'aside' : 'served', subscription);
  }

  #subscriptionOf({ text }: ServerMessage): ClientStep | undefined {
    const id = idAt(text, 'notifiedSubscription');
    return id === undefined ? undefined : this.#listens.get(idKey(id));
  }

  #add(message: ServerMessage, scene: OpenRecordedExchange, role: ReplyRole, subscription?: ClientStep): void {
    const { atMs } = message.entry;
    const delayMs = Math.max(0, atMs - scene.lastMs);
    scene.cues.push({ message, role, waitsFor: scene.answered, delayMs, subscription });
    scene.answered = [];
    scene.lastMs = Math.max(scene.lastMs, atMs);
    if (message.kind === 'request') this.#asked.set(message, scene);
  }
}

/** What a server refused for its headers says nothing of what was asked, and whoever listens refuses such by itself. */
function isHeadersFault({ step, cues }: RecordedExchange): boolean {
  if (step.entry.http === undefined) return false;
  const answer = cues.find(({ role }) => role === 'answer')?.message.text;
  return answer !== undefined && ObjectView.of(answer)?.object('error')?.number('code') === HEADER_MISMATCH;
}

const HEADER_MISMATCH = -32020;
