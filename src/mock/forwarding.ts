import { defaultLabel } from '../model/label.ts';
import type { RecordedSession, SessionHeader } from '../model/session.ts';
import type { RecordedDialogue } from '../recorded/recorded-dialogue.ts';
import { type KnownSettings, secretsAmong } from '../redact/detect/given-values.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import type { HttpListener } from '../transport/http/http-listener.ts';
import {
  connectTarget,
  settingsOfTarget,
  type TargetChoice,
  targetFacts,
} from '../transport/outbound/connect-target.ts';
import type { TargetLink, TargetLinkEvents } from '../transport/outbound/target-link.ts';
import type { TargetProcess } from '../transport/process/target-process.ts';
import { FallbackConnection, fallbackOn } from './fallback-server.ts';
import type { OpenFallbackServer } from './fallback-servers.ts';
import { NewRecording } from './new-recording.ts';

export interface ForwardingOptions {
  readonly target: TargetChoice;
  /** The existing recording, which new exchanges are added to. */
  readonly dialogues: readonly RecordedDialogue[];
  readonly startTarget: () => Promise<TargetProcess>;
  /** The mock's own listener, which must not be used as the target. */
  readonly own: () => HttpListener | undefined;
  readonly nowMs: () => number;
  readonly newId: () => string;
  readonly note: (line: string) => void;
  /** The variables that the server inherits. Those whose names say secret are not recorded. */
  readonly env: KnownSettings['env'];
}

/** Forwards requests that the recording cannot answer to a live server. */
export interface MockForwarding {
  readonly openFallback: OpenFallbackServer;
  /** The messages exchanged with the live server. */
  readonly recording: NewRecording;
  /** Closes every connection to the live server. */
  close(): Promise<void>;
}

/** Prepares forwarding to a live server. Connections open on first use. */
export async function openForwarding(options: ForwardingOptions): Promise<MockForwarding> {
  const { target, dialogues, startTarget, own, nowMs, newId, note, env } = options;
  const exactValues = secretsAmong({ given: settingsOfTarget(target), env });
  const redactor = await redactorFor(DEFAULT_REDACTION, { salt: newId() + newId(), exactValues });
  const firstConversation = 1 + dialogues.reduce((last, { conversation }) => Math.max(last, conversation), -1);
  const recording = new NewRecording({ nowMs, newId, redactor, firstConversation });
  const servers = new Set<FallbackConnection>();
  const connect = (events: TargetLinkEvents): TargetLink =>
    connectTarget(target, { nowMs, startTarget, own: own() })(events);
  const open = (): FallbackConnection => {
    const server = new FallbackConnection(connect, (line) => note(line));
    servers.add(server);
    return server;
  };
  let shared:
    | { readonly server: FallbackConnection; readonly record: ReturnType<NewRecording['conversation']> }
    | undefined;
  return {
    recording,
    openFallback(receive, client) {
      if (client.isSingle) {
        shared ??= { server: open(), record: recording.conversation() };
        return fallbackOn(shared.server, { receive }, shared.record, () => undefined);
      }
      const server = open();
      const closing = (): void => void server.close().then(() => servers.delete(server));
      return fallbackOn(server, { receive }, recording.conversation(), closing);
    },
    async close() {
      await Promise.all([...servers].map((server) => server.close()));
    },
  };
}

/** The session header for a new recording of this server. */
export function headerOf(
  target: TargetChoice,
  { nowMs, newId }: Pick<ForwardingOptions, 'nowMs' | 'newId'>,
): SessionHeader {
  const { transport, command, url } = targetFacts(target);
  const label = defaultLabel(command, url);
  return { id: newId(), startedAtMs: nowMs(), label, transport, command, url, metadata: '{}' };
}

/** The same session with its header only. */
export function withoutEntries(session: RecordedSession): RecordedSession {
  return { ...session, footer: undefined, async *batches() {} };
}
