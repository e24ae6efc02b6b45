import { resolve } from 'node:path';
import { defaultLabel } from '../model/label.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import type { TargetFacts } from '../transport/outbound/connect-target.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';

/** Builds the header of a new session. Of environment variables, it contains the names, never the values. */
export function headerFor(
  /** `listen` is the address for clients, if mcpreel listens on one. */
  target: TargetFacts & { readonly listen?: string | undefined },
  options: KeepingOptions,
  deps: SessionDeps,
): SessionHeader {
  const { transport, command, url, env = {}, listen } = target;
  const cwd = url === undefined ? folderOf(target) : undefined;
  const { label, metadata, sessionFile, redaction = DEFAULT_REDACTION } = options;
  const meta = {
    kind: 'mcp',
    source: `mcpreel@${deps.version}`,
    producer: { name: 'mcpreel', version: deps.version },
    ...(cwd !== undefined && { cwd }),
    ...(Object.keys(env).length > 0 && { env: Object.keys(env) }),
    ...(listen !== undefined && { listen }),
    redact: redaction.mode,
    // Where to write the session file after a crash.
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

/** How a session ended: by its server's exit, or on request. */
export interface SessionEnding {
  readonly code: number;
  readonly signal?: string | undefined;
  readonly reason?: string | undefined;
}

/** Builds the footer of an ended session. */
export function footerFor(
  { code, signal, reason }: SessionEnding,
  { startedAtMs }: SessionHeader,
  endedAtMs: number,
  isProbeOnly: boolean,
): SessionFooter {
  const footer = { endedAtMs, exitCode: code, signal, reason, durationMs: endedAtMs - startedAtMs };
  return isProbeOnly ? { ...footer, keepsakes: { trace: '{"probe":true}' } } : footer;
}

/** The folder that the server runs in, or this process; `undefined` if it was removed. */
export function folderOf({ cwd = '.' }: Pick<TargetFacts, 'cwd'>): string | undefined {
  try {
    return resolve(cwd);
  } catch {
    return undefined;
  }
}
