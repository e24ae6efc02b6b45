import type { Entry, MessageEntry } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import type { SessionLog } from '../present/session-log/session-log.ts';
import { envelopeOf } from '../protocol/envelope.ts';
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
  const answer = log.messageAt(outcome?.answer);
  if (request.dropped) throw refusal('This request was dropped, so it has no response to compare with.');
  if (outcome === undefined || answer === undefined) throw refusal('This request has no response to compare with.');
  const retries = outcome.rounds.map(({ retry }) => retry);
  const parts = [outcome.request, ...retries].flatMap((sequence) => log.messageAt(sequence) ?? []);
  for (const part of parts) refuseUnsendable(part);
  const answers = outcome.rounds.flatMap((round) => log.messageAt(round.answer) ?? []);
  const questions = outcome.nested.flatMap((sequence) => log.messageAt(sequence) ?? []);
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
  const request = kind === 'response' ? (partner === undefined ? undefined : log.entries.at(partner)) : entry;
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
  const hidden = redactedIn(message.text);
  if (hidden !== undefined) throw refusal(`Not sent: it contains ${hidden}, and the redacted value is unknown.`);
}

function answerTo(log: SessionLog, question: MessageEntry): MessageEntry | undefined {
  return log.messageAt(log.outcomeOf(question)?.answer);
}

const CONFIRMATION = 'notifications/initialized';
/** A client sends `notifications/initialized` within this many entries after the handshake. */
const CONFIRMED_WITHIN = 100;

/** The recorded handshake of the call's client, if available. */
function handshakeOf(log: SessionLog, { conversation = 0 }: MessageEntry): MessageEntry[] {
  const isOfClient = (entry: Entry): entry is MessageEntry =>
    entry.kind === 'message' && entry.direction === 'client_to_server' && (entry.conversation ?? 0) === conversation;
  const first = firstRequest(log, isOfClient);
  if (first === undefined || envelopeOf(first).method !== 'initialize') return [];
  const place = log.placeOf(first.sequence) ?? 0;
  const after = log.entries.slice(place, place + CONFIRMED_WITHIN);
  const confirmation = after.find(
    (entry): entry is MessageEntry => isOfClient(entry) && envelopeOf(entry).method === CONFIRMATION,
  );
  return [first, answerTo(log, first), confirmation].filter((message) => message !== undefined);
}

function firstRequest(log: SessionLog, isOfClient: (entry: Entry) => entry is MessageEntry): MessageEntry | undefined {
  for (const entry of log.entries) if (isOfClient(entry) && envelopeOf(entry).kind === 'request') return entry;
  return undefined;
}

/** Removes duplicates, because the replayed call may be the handshake itself. */
function inOrder(...groups: readonly (readonly MessageEntry[])[]): MessageEntry[] {
  const bySequence = new Map(groups.flat().map((message) => [message.sequence, message]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}

function refusal(message: string, hint?: string): ReelError {
  return new ReelError('usage', message, hint === undefined ? {} : { hint });
}
