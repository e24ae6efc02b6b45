import { ObjectView } from '../../json/object-view.ts';
import type { EventEntry, MessageEntry } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { envelopeOf } from '../../protocol/envelope.ts';

/** Facts that spans need from elsewhere in the session. */
export interface OtlpSurvey {
  /** The `Mcp-Session-Id` of each conversation that has one. */
  readonly sessionIds: ReadonlyMap<number, string>;
  /** The protocol version that the client and server of each conversation agreed on. */
  readonly versions: ReadonlyMap<number, string>;
  /** The time of the session's last entry. */
  readonly lastMs: number;
}

/** Reads a session once to collect the facts that its spans need. */
export async function surveySession(session: RecordedSession): Promise<OtlpSurvey> {
  const sessionIds = new Map<number, string>();
  const versions = new Map<number, string>();
  let lastMs = session.header.startedAtMs;
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      lastMs = Math.max(lastMs, entry.atMs);
      if (entry.kind === 'message') noteVersion(entry, versions);
      else if (entry.kind === 'event') noteSessionId(entry, sessionIds);
    }
  }
  return { sessionIds, versions, lastMs: Math.max(lastMs, session.footer?.endedAtMs ?? lastMs) };
}

function noteVersion(message: MessageEntry, versions: Map<number, string>): void {
  const { conversation = 0, text } = message;
  if (versions.has(conversation) || !text.includes('"protocolVersion"')) return;
  if (envelopeOf(message).kind !== 'response') return;
  const version = ObjectView.of(text)?.object('result')?.string('protocolVersion');
  if (version !== undefined) versions.set(conversation, version);
}

const SESSION_HEADER = 'mcp-session-id';

function noteSessionId({ event, raw, conversation = 0 }: EventEntry, sessionIds: Map<number, string>): void {
  if (event !== 'http.exchange' || sessionIds.has(conversation) || !/mcp-session-id/i.test(raw)) return;
  const details = ObjectView.of(raw);
  const headers = [details?.value('responseHeaders'), details?.value('requestHeaders')].flat();
  for (const pair of headers) {
    const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof name !== 'string' || name.toLowerCase() !== SESSION_HEADER || typeof value !== 'string') continue;
    sessionIds.set(conversation, value);
    return;
  }
}
