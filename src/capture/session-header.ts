import { resolve } from 'node:path';
import { defaultLabel } from '../model/label.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';

/** What a recording says of the server. */
export interface TargetFacts {
  readonly transport: string;
  /** Its command; for one that has an address, that. */
  readonly command: readonly string[];
  readonly url?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where clients reach mcpreel, if not by its own streams. */
  readonly listen?: string | undefined;
}

/** What is known of a session when it begins. Variables are told by name, never by value. */
export function headerFor(target: TargetFacts, options: KeepingOptions, deps: SessionDeps): SessionHeader {
  const { transport, command, url, cwd, env = {}, listen } = target;
  const { label, metadata, sessionFile, redaction = DEFAULT_REDACTION } = options;
  const meta = {
    kind: 'mcp',
    source: `mcpreel@${deps.version}`,
    producer: { name: 'mcpreel', version: deps.version },
    ...(cwd !== undefined && { cwd }),
    ...(Object.keys(env).length > 0 && { env: Object.keys(env) }),
    ...(listen !== undefined && { listen }),
    redact: redaction.mode,
    // Where it is to be written again after a crash.
    ...(sessionFile !== undefined && { sessionFile: resolve(sessionFile) }),
  };
  return {
    id: deps.newId(),
    startedAtMs: deps.nowMs(),
    label: label ?? defaultLabel(command, url),
    transport,
    command,
    url,
    metadata: JSON.stringify(metadata),
    keepsakes: { trace: JSON.stringify(meta) },
  };
}

/** How a session ended: as its server did, or because it was told to. */
export interface SessionEnding {
  readonly code: number;
  readonly signal?: string | undefined;
  readonly reason?: string | undefined;
}

/** What is known of a session when it has ended. */
export function footerFor(
  { code, signal, reason }: SessionEnding,
  { startedAtMs }: SessionHeader,
  endedAtMs: number,
  isProbeOnly: boolean,
): SessionFooter {
  const footer = { endedAtMs, exitCode: code, signal, reason, durationMs: endedAtMs - startedAtMs };
  return isProbeOnly ? { ...footer, keepsakes: { trace: '{"probe":true}' } } : footer;
}
