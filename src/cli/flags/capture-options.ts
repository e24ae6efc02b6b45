import { resolve } from 'node:path';
import type {
  BridgeCaptureOptions,
  HttpCaptureOptions,
  KeepingOptions,
  StdioCaptureOptions,
} from '../../capture/capture-options.ts';
import { DEFAULT_REDACTION, REDACT_MODES } from '../../redact/redaction-rules.ts';
import type { StdioTargetOptions, TargetChoice } from '../../transport/outbound/connect-target.ts';
import { splitTypedCommand } from '../../transport/process/typed-command.ts';
import type { CaptureFlagValues } from './capture-flags.ts';
import {
  HTTP_FLAGS,
  httpTargetFrom,
  listenFrom,
  RELAY_FLAGS,
  refuseFlags,
  STDIO_FLAGS,
  type Transport,
  transportFrom,
  WRAPPER_FLAGS,
} from './connection-options.ts';
import { bytes, list, milliseconds, pairsFrom, positive, text, unknownValue, usage } from './flag-values.ts';
import { type InterceptionChoice, interceptionFrom } from './interception-options.ts';

/** The kind of capture, with its connection options. */
type ConnectionChoice =
  | { readonly kind: 'stdio'; readonly options: StdioCaptureOptions }
  | { readonly kind: 'http'; readonly options: HttpCaptureOptions }
  | { readonly kind: 'bridge'; readonly options: BridgeCaptureOptions };

/** The same, with the interception settings. */
export type CapturePlan = ConnectionChoice & { readonly interception: InterceptionChoice };

/** Converts flags and the words after `--` into a capture plan. */
export function captureOptionsFrom(
  values: CaptureFlagValues,
  words: readonly string[],
  /** Whether stdin is a terminal, so that no client can send messages there. */
  atTerminal = false,
): CapturePlan {
  return { ...connectionFrom(values, words, atTerminal), interception: interceptionFrom(values) };
}

function connectionFrom(values: CaptureFlagValues, words: readonly string[], atTerminal: boolean): ConnectionChoice {
  const transport = transportFrom(values, words);
  const listen = listenFrom(values, transport, atTerminal);
  const keeping = keepingFrom(values, listen.transport);
  const target = targetFrom(values, words);
  if (target.transport === 'stdio') {
    const { transport: _, ...program } = target;
    if (listen.transport === 'stdio') {
      refuseFlags(values, BRIDGE_FLAGS, 'has no effect over stdio', 'Remove it.');
      return { kind: 'stdio', options: { ...keeping, ...program } };
    }
    refuseFlags(
      values,
      [...WRAPPER_FLAGS, ...STDIO_ONLY],
      'has no effect for clients that connect over HTTP',
      'Remove it.',
    );
    return { kind: 'bridge', options: { ...keeping, listen: bridgeListen(listen, values), target } };
  }
  refuseFlags(values, STDIO_ONLY, 'has no effect with a server over HTTP', 'Remove it.');
  if (listen.transport === target.transport) {
    refuseFlags(values, BRIDGE_FLAGS, 'has no effect unless transports are bridged', 'Remove it.');
    return { kind: 'http', options: { ...keeping, listen, target } };
  }
  refuseFlags(values, RELAY_FLAGS, 'has no effect when transports are bridged', 'Remove it.');
  return { kind: 'bridge', options: { ...keeping, listen: bridgeListen(listen, values), target } };
}

/** The flags for relaying from stdio to stdio. */
const STDIO_ONLY = ['durable', 'no-journal'];

/** The flags for conversations between different transports. */
const BRIDGE_FLAGS = ['max-conversations'];

function bridgeListen(
  listen: BridgeCaptureOptions['listen'],
  values: CaptureFlagValues,
): BridgeCaptureOptions['listen'] {
  if (listen.transport !== 'stdio') return { ...listen, maxConversations: positive(values, 'max-conversations') };
  refuseFlags(values, BRIDGE_FLAGS, 'needs clients that connect over HTTP', 'Remove it.');
  return listen;
}

function keepingFrom(values: CaptureFlagValues, listens: Transport): KeepingOptions {
  if (values.split === true && listens === 'stdio') {
    throw usage('--split needs clients that connect over HTTP', 'Remove it: over stdio there is one conversation.');
  }
  if (values.split === true && values['session-file'] !== undefined) {
    throw usage('--split and --session-file cannot be used together', 'A session file always has the whole session.');
  }
  return {
    label: text(values, 'label'),
    metadata: pairsFrom(values, 'meta'),
    ...filesFrom(values, listens),
    split: values.split === true,
    rotation: rotationFrom(values),
    maxMessageBytes: bytes(values, 'max-message'),
    redaction: redactionFrom(values),
    mustRecord: values['must-record'] === true,
    safety: safetyFrom(values),
  };
}

function safetyFrom(values: CaptureFlagValues): KeepingOptions['safety'] {
  if (values.durable === true && values['no-journal'] === true) {
    throw usage('--durable and --no-journal cannot be used together', 'With --durable, there is no journal anyway.');
  }
  return values.durable === true ? 'durable' : values['no-journal'] === true ? 'none' : undefined;
}

/** The server named by the flags or by the words after `--`. Throws a usage error if neither names one. */
export function targetFrom(values: CaptureFlagValues, words: readonly string[]): TargetChoice {
  const transport = transportFrom(values, words);
  if (transport === 'stdio') {
    refuseFlags(values, HTTP_FLAGS, 'needs a server over HTTP', 'Remove it, or add --target-url.');
    return { transport, ...stdioTargetFrom(values, words) };
  }
  refuseFlags(values, STDIO_FLAGS, 'needs a server command', 'Remove it, or put the command after --.');
  return httpTargetFrom(values, words, transport);
}

function stdioTargetFrom(values: CaptureFlagValues, words: readonly string[]): StdioTargetOptions {
  return {
    command: commandFrom(text(values, 'target-command'), words),
    env: pairsFrom(values, 'env'),
    cwd: text(values, 'cwd'),
    patience: patienceFrom(values),
    drainMs: milliseconds(values, 'drain'),
  };
}

type FileOptions = Pick<KeepingOptions, 'traceFile' | 'keepsTrace' | 'sessionFile' | 'saveEveryMs'>;

function filesFrom(values: CaptureFlagValues, listens: Transport): FileOptions {
  const traceFile = text(values, 'trace-file');
  const sessionFile = text(values, 'session-file');
  if (traceFile === '-')
    throw usage('--trace-file - is not a file: a trace cannot be written to standard output', 'Name a file.');
  if (sessionFile === '-' && listens === 'stdio') {
    throw usage('--session-file - is not a file: standard output belongs to the client', 'Name a file.');
  }
  const saveEveryMs = milliseconds(values, 'save-every');
  const keepsTrace = values['no-trace'] !== true;
  if (sessionFile === '-' && (saveEveryMs !== undefined || !keepsTrace)) {
    const other = keepsTrace ? '--save-every' : '--no-trace';
    throw usage(`${other} needs a session file, and --session-file - is standard output`, 'Name a file.');
  }
  if (traceFile !== undefined && sessionFile !== undefined && resolve(traceFile) === resolve(sessionFile)) {
    throw usage(`--trace-file and --session-file both name ${sessionFile}`, 'Choose two names.');
  }
  if (sessionFile === undefined && !keepsTrace) {
    throw usage('--no-trace needs --session-file', 'Otherwise nothing would be recorded.');
  }
  if (sessionFile === undefined && saveEveryMs !== undefined) {
    throw usage('--save-every needs --session-file', 'Remove it, or add --session-file.');
  }
  if (saveEveryMs === 0) throw usage('--save-every 0 is not more than 0', 'Example: 10');
  return { traceFile, keepsTrace, sessionFile, saveEveryMs };
}

function rotationFrom(values: CaptureFlagValues): KeepingOptions['rotation'] {
  const maxBytes = bytes(values, 'max-bytes');
  const maxFiles = positive(values, 'max-files');
  if (maxBytes === undefined && maxFiles !== undefined) {
    throw usage('--max-files needs --max-bytes', 'Add the size of a file, like --max-bytes 64M.');
  }
  return maxBytes === undefined ? undefined : { maxBytes, maxFiles: maxFiles ?? Number.POSITIVE_INFINITY };
}

function redactionFrom(values: CaptureFlagValues): KeepingOptions['redaction'] {
  const given = text(values, 'redact') ?? DEFAULT_REDACTION.mode;
  const mode = REDACT_MODES.find((known) => known === given);
  if (mode === undefined) throw unknownValue('--redact', given, REDACT_MODES);
  return {
    mode,
    keys: list(values, 'redact-key'),
    values: list(values, 'redact-value'),
    paths: list(values, 'redact-path'),
  };
}

function patienceFrom(values: CaptureFlagValues): StdioTargetOptions['patience'] {
  const killAfterMs = milliseconds(values, 'kill-after');
  const orphanAfterMs = milliseconds(values, 'orphan-after');
  return {
    ...(killAfterMs !== undefined && { killAfterMs }),
    ...(orphanAfterMs !== undefined && { orphanAfterMs }),
  };
}

function commandFrom(line: string | undefined, words: readonly string[]): readonly string[] {
  if (line !== undefined && words.length > 0) {
    throw usage('The server is given twice: with --target-command and after --', 'Remove one of them.');
  }
  const command = line === undefined ? words : splitTypedCommand(line);
  if (!command[0]) throw usage('No server given', 'Put its command after --, like: mcpreel -- node server.js');
  return command;
}
