import { resolve } from 'node:path';
import type { StdioCaptureOptions } from '../capture/capture-options.ts';
import { parseByteSize } from '../model/byte-size.ts';
import { splitCommandLine } from '../model/command-line.ts';
import { ReelError } from '../model/errors.ts';
import { DEFAULT_REDACTION, REDACT_MODES } from '../redact/redaction-rules.ts';
import type { CaptureFlagValues } from './capture-flags.ts';

/** Turns flags and the words after `--` into what the capture needs. */
export function captureOptionsFrom(values: CaptureFlagValues, words: readonly string[]): StdioCaptureOptions {
  const transport = values.transport ?? 'stdio';
  if (transport !== 'stdio') throw usage(`Unknown transport: ${String(transport)}`, 'Known: stdio.');
  return {
    command: commandFrom(text(values, 'target-command'), words),
    label: text(values, 'label'),
    metadata: pairsFrom(values, 'meta'),
    env: pairsFrom(values, 'env'),
    cwd: text(values, 'cwd'),
    ...filesFrom(values),
    rotation: rotationFrom(values),
    maxMessageBytes: bytes(values, 'max-message'),
    redaction: redactionFrom(values),
    mustRecord: values['must-record'] === true,
    patience: patienceFrom(values),
    drainMs: milliseconds(values, 'drain'),
  };
}

type FileOptions = Pick<StdioCaptureOptions, 'traceFile' | 'keepsTrace' | 'sessionFile' | 'saveEveryMs'>;

function filesFrom(values: CaptureFlagValues): FileOptions {
  const traceFile = text(values, 'trace-file');
  const sessionFile = text(values, 'session-file');
  const saveEveryMs = milliseconds(values, 'save-every');
  const keepsTrace = values['no-trace'] !== true;
  if (traceFile !== undefined && sessionFile !== undefined && resolve(traceFile) === resolve(sessionFile)) {
    throw usage('The trace and the session file are one file', 'Give them two names.');
  }
  if (sessionFile === undefined && !keepsTrace) {
    throw usage('--no-trace would keep nothing', 'Name a --session-file as well.');
  }
  if (sessionFile === undefined && saveEveryMs !== undefined) {
    throw usage('--save-every has nothing to save', 'Name a --session-file as well.');
  }
  if (saveEveryMs === 0) throw usage('--save-every 0 is not a time to wait', 'Give a number of seconds, like 10.');
  return { traceFile, keepsTrace, sessionFile, saveEveryMs };
}

function rotationFrom(values: CaptureFlagValues): StdioCaptureOptions['rotation'] {
  const maxBytes = bytes(values, 'max-bytes');
  const maxFiles = positive(values, 'max-files');
  if (maxBytes === undefined && maxFiles !== undefined) {
    throw usage('--max-files needs --max-bytes', 'Say how large a file may grow.');
  }
  return maxBytes === undefined ? undefined : { maxBytes, maxFiles: maxFiles ?? Number.POSITIVE_INFINITY };
}

function redactionFrom(values: CaptureFlagValues): StdioCaptureOptions['redaction'] {
  const given = text(values, 'redact') ?? DEFAULT_REDACTION.mode;
  const mode = REDACT_MODES.find((known) => known === given);
  if (mode === undefined) throw usage(`--redact ${given} is not known`, `Known: ${REDACT_MODES.join(', ')}.`);
  return {
    mode,
    keys: list(values, 'redact-key'),
    values: list(values, 'redact-value'),
    paths: list(values, 'redact-path'),
  };
}

function patienceFrom(values: CaptureFlagValues): StdioCaptureOptions['patience'] {
  const killAfterMs = milliseconds(values, 'kill-after');
  const orphanAfterMs = milliseconds(values, 'orphan-after');
  return {
    ...(killAfterMs !== undefined && { killAfterMs }),
    ...(orphanAfterMs !== undefined && { orphanAfterMs }),
  };
}

function commandFrom(line: string | undefined, words: readonly string[]): readonly string[] {
  if (line !== undefined && words.length > 0) {
    throw usage('The server is given twice', 'Use --target-command or --, not both.');
  }
  const command = line === undefined ? words : splitCommandLine(line);
  if (!command[0]) throw usage('No server given', 'Put its command after --, as in: mcpreel -- node server.js');
  return command;
}

function text(values: CaptureFlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

function list(values: CaptureFlagValues, name: string): readonly string[] {
  const given = values[name];
  if (typeof given === 'string') return [given];
  return Array.isArray(given) ? (given as readonly string[]) : [];
}

function bytes(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  const size = given === undefined ? undefined : parseByteSize(given);
  if (given !== undefined && !size) throw usage(`--${name} ${given} is not a size`, 'Write it like 4096, 64k or 128M.');
  return size;
}

function positive(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  if (given !== undefined && !/^[1-9]\d{0,8}$/.test(given)) {
    throw usage(`--${name} ${given} is not a number from 1 on`, `Write it like --${name} 5.`);
  }
  return given === undefined ? undefined : Number(given);
}

function milliseconds(values: CaptureFlagValues, name: string): number | undefined {
  const given = text(values, name);
  if (given !== undefined && !/^\d{1,6}(\.\d{1,3})?$/.test(given)) {
    throw usage(`--${name} ${given} is not a number of seconds`, `Write it like --${name} 1.5.`);
  }
  return given === undefined ? undefined : Math.round(Number(given) * 1000);
}

function pairsFrom(values: CaptureFlagValues, name: string): Record<string, string> {
  return Object.fromEntries(
    list(values, name).map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usage(`--${name} ${pair} has no value`, `Write --${name} key=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function usage(message: string, hint: string): ReelError {
  return new ReelError('usage', message, { hint });
}
