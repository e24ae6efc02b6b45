import type { Entry, JsonText, MessageEntry } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import { entriesOf, type RecordedSession, type SessionHeader } from '../model/session.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { Pairing } from '../protocol/pairing.ts';
import type { RecordedDialogue } from '../recorded/recorded-dialogue.ts';
import type { Redactor } from '../redact/redactor.ts';

export interface NewRecordingOptions {
  readonly nowMs: () => number;
  readonly newId: () => string;
  readonly redactor: Redactor | undefined;
  /** The number for the first new conversation. */
  readonly firstConversation: number;
}

/** Collects the messages exchanged with a live server, to append them to a recording. */
export class NewRecording {
  readonly #options: NewRecordingOptions;
  readonly #messages: MessageEntry[] = [];
  readonly #pairing = new Pairing();
  #conversations: number;

  constructor(options: NewRecordingOptions) {
    this.#options = options;
    this.#conversations = options.firstConversation;
  }

  get size(): number {
    return this.#messages.length;
  }

  /** Returns a function that adds messages to a new conversation, which starts with the first message. */
  conversation(): (text: JsonText, isClients: boolean) => void {
    let conversation: number | undefined;
    return (text, isClients) => {
      conversation ??= this.#conversations++;
      this.#add(text, isClients, conversation);
    };
  }

  /** The session with the new messages appended. */
  added(session: RecordedSession): RecordedSession {
    const endedAtMs = this.#options.nowMs();
    const durationMs = endedAtMs - session.header.startedAtMs;
    const footer = { exitCode: undefined, ...session.footer, endedAtMs, durationMs };
    return { ...session, footer, batches: () => this.#batches(session) };
  }

  async *#batches(session: RecordedSession): AsyncGenerator<readonly Entry[]> {
    let sequence = 0;
    for await (const entry of entriesOf(session)) {
      if (entry.kind === 'message') sequence = entry.sequence + 1;
      yield [entry];
    }
    const { redactor } = this.#options;
    yield this.#messages.map((message) => {
      const entry = { ...message, sequence: sequence++ };
      return redactor?.entry(entry) ?? entry;
    });
  }

  #add(text: JsonText, isClients: boolean, conversation: number): void {
    const { nowMs, newId } = this.#options;
    const proxyId = newId();
    const direction = isClients ? 'client_to_server' : 'server_to_client';
    const correlatedId = this.#pairing.match({ proxyId, direction, conversation }, readEnvelope(text));
    this.#messages.push({
      kind: 'message',
      sequence: 0,
      proxyId,
      atMs: nowMs(),
      direction,
      text,
      correlatedId,
      ...(conversation > 0 && { conversation }),
    });
  }
}

/** Throws if the recording contains no requests; `shown` is the recording's name in the error. */
export function assertAnswers(dialogues: readonly RecordedDialogue[], shown: string): void {
  if (dialogues.some(({ steps }) => steps.some(({ kind }) => kind === 'request'))) return;
  throw new ReelError('session-empty', `No client requests in ${shown}`, {
    hint: 'A mock needs at least one recorded request.',
  });
}

/** A recording without entries. */
export function emptyRecording(path: string, header: SessionHeader): RecordedSession {
  const format = path.endsWith('.jsonl') ? 'trace' : 'json';
  return { format, header, footer: undefined, async *batches() {} };
}
