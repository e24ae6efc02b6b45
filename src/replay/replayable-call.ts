import type { Entry, MessageEntry } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import type { SessionLog } from '../present/session-log.ts';
import { envelopeOf, readEnvelope } from '../protocol/envelope.ts';
import { redactedIn } from './replay-plan.ts';

/** A call that can be replayed, with the recorded messages needed to replay and compare it. */
export interface ReplayableCall {
  readonly request: MessageEntry;
  readonly method: string;
  /** The tool, prompt or resource that it names. */
  readonly name: string | undefined;
  readonly durationMs: number | undefined;
  /** The handshake, the call with its retries, and the server requests made for it, in recorded order. */
  readonly messages: readonly MessageEntry[];
  /** Whether a message is sent, apart from the handshake. */
  readonly isPart: (proxyId: string) => boolean;
}

/** The call that an entry belongs to. Throws a usage error with the reason if it cannot be replayed. */
export function replayableCall(log: SessionLog, entry: Entry): ReplayableCall {
  const request = requestOf(log, entry);
  const outcome = log.outcomeOf(request);
  const answer = outcome?.answer === undefined ? undefined : messageAt(log, outcome.answer);
  if (request.dropped) throw refusal('This request was dropped, so it has no response to compare with.');
  if (outcome === undefined || answer === undefined) throw refusal('This request has no response to compare with.');
  const retries = outcome.rounds.map(({ retry }) => retry);
  const parts = [outcome.request, ...retries].flatMap((sequence) => messageAt(log, sequence) ?? []);
  for (const part of parts) refuseUnsendable(part);
  const answers = outcome.rounds.flatMap((round) => messageAt(log, round.answer) ?? []);
  const questions = outcome.nested.flatMap((sequence) => messageAt(log, sequence) ?? []);
  const replies = questions.flatMap((question) => answerTo(log, question) ?? []);
  const own = [...parts, ...answers, ...questions, ...replies, answer];
  const sent = new Set(parts.map(({ proxyId }) => proxyId));
  const { method, name, durationMs } = outcome;
  return {
    request,
    method,
    name,
    durationMs,
    messages: inOrder(handshakeOf(log, request), own),
    isPart: (id) => sent.has(id),
  };
}

/** The request itself, or the request that a response answers. */
function requestOf(log: SessionLog, entry: Entry): MessageEntry {
  if (entry.kind !== 'message') throw refusal('Only requests and their responses can be replayed.');
  const { kind } = envelopeOf(entry);
  const partner = kind === 'response' ? log.partnerOf(entry) : undefined;
  const request = kind === 'response' ? (partner === undefined ? undefined : log.entries[partner]) : entry;
  if (request?.kind !== 'message' || envelopeOf(request).kind !== 'request') {
    throw refusal(
      kind === 'notification'
        ? 'Notifications cannot be replayed: they have no response to compare.'
        : 'Only requests and their responses can be replayed.',
    );
  }
  if (request.direction !== 'client_to_server') {
    throw refusal('Only requests of the client can be replayed, and this is one of the server.');
  }
  return request;
}

function refuseUnsendable(message: MessageEntry): void {
  if (isForgotten(message)) {
    throw refusal('This message is no longer in memory.', 'Use mcpreel replay, which reads the trace.');
  }
  const hidden = redactedIn(message.text);
  if (hidden !== undefined) throw refusal(`Not sent: it contains ${hidden}, and the redacted value is unknown.`);
}

/** For the oldest messages of a long session, only what the list shows is kept in memory. */
function isForgotten(message: MessageEntry): boolean {
  return readEnvelope(message.text).kind !== envelopeOf(message).kind;
}

function messageAt(log: SessionLog, sequence: number): MessageEntry | undefined {
  const place = log.placeOf(sequence);
  const entry = place === undefined ? undefined : log.entries[place];
  return entry?.kind === 'message' ? entry : undefined;
}

function answerTo(log: SessionLog, question: MessageEntry): MessageEntry | undefined {
  const answer = log.outcomeOf(question)?.answer;
  return answer === undefined ? undefined : messageAt(log, answer);
}

const CONFIRMATION = 'notifications/initialized';
/** A client sends `notifications/initialized` within this many entries after the handshake. */
const CONFIRMED_WITHIN = 100;

/** The recorded handshake of the call's client, if available. */
function handshakeOf(log: SessionLog, { conversation = 0 }: MessageEntry): MessageEntry[] {
  const isOfClient = (entry: SessionLog['entries'][number]): entry is MessageEntry =>
    entry.kind === 'message' && entry.direction === 'client_to_server' && (entry.conversation ?? 0) === conversation;
  const place = log.entries.findIndex((entry) => isOfClient(entry) && envelopeOf(entry).kind === 'request');
  const first = log.entries[place];
  if (first?.kind !== 'message' || envelopeOf(first).method !== 'initialize' || isForgotten(first)) return [];
  const after = log.entries.slice(place, place + CONFIRMED_WITHIN);
  const confirmation = after.find(
    (entry): entry is MessageEntry => isOfClient(entry) && envelopeOf(entry).method === CONFIRMATION,
  );
  const kept = [first, answerTo(log, first), confirmation];
  return kept.filter((message) => message !== undefined && !isForgotten(message)) as MessageEntry[];
}

/** Removes duplicates, because the replayed call may be the handshake itself. */
function inOrder(...groups: readonly (readonly MessageEntry[])[]): MessageEntry[] {
  return [...new Set(groups.flat())].sort((a, b) => a.sequence - b.sequence);
}

function refusal(message: string, hint?: string): ReelError {
  return new ReelError('usage', message, hint === undefined ? {} : { hint });
}
