import { resolve } from 'node:path';
import { defaultLabel } from '../model/label.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import type { ExitStatus } from '../transport/target-process.ts';
import type { CaptureSurroundings, StdioCaptureOptions } from './capture-options.ts';

/** What is known of a session when it begins. Variables are told by name, never by value. */
export function headerFor(options: StdioCaptureOptions, around: CaptureSurroundings): SessionHeader {
  const { command, label, metadata, env, cwd, sessionFile, redaction = DEFAULT_REDACTION } = options;
  const meta = {
    kind: 'mcp',
    source: `mcpreel@${around.version}`,
    producer: { name: 'mcpreel', version: around.version },
    ...(cwd !== undefined && { cwd }),
    ...(Object.keys(env).length > 0 && { env: Object.keys(env) }),
    redact: redaction.mode,
    // Where it is to be written again after a crash.
    ...(sessionFile !== undefined && { sessionFile: resolve(sessionFile) }),
  };
  return {
    id: around.newId(),
    startedAtMs: around.nowMs(),
    label: label ?? defaultLabel(command),
    transport: 'stdio',
    command,
    url: undefined,
    metadata: JSON.stringify(metadata),
    keepsakes: { trace: JSON.stringify(meta) },
  };
}

/** What is known of a session when its server has ended. */
export function footerFor(
  status: ExitStatus,
  { startedAtMs }: SessionHeader,
  endedAtMs: number,
  isProbeOnly: boolean,
): SessionFooter {
  const footer = { endedAtMs, exitCode: status.code, signal: status.signal, durationMs: endedAtMs - startedAtMs };
  return isProbeOnly ? { ...footer, keepsakes: { trace: '{"probe":true}' } } : footer;
}
