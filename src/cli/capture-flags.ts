import { resolve } from 'node:path';
import type { StdioCaptureOptions } from '../capture/stdio-capture.ts';
import { splitCommandLine } from '../model/command-line.ts';
import { ReelError } from '../model/errors.ts';

/** One flag of a recording command. */
export interface CaptureFlag {
  readonly name: string;
  /** What its value is called in the help. */
  readonly value: string;
  readonly repeats: boolean;
  readonly help: string;
}

/** The flags that `mcpreel [flags] -- server` and `mcpreel record` share. */
export const CAPTURE_FLAGS: readonly CaptureFlag[] = [
  flag('transport', 'transport', 'how mcpreel reaches the server: stdio'),
  flag('target-command', 'command', 'the server, quoted as for a shell; or everything after --'),
  flag('session-file', 'file', 'write the session file at exit and on signals'),
  flag('trace-file', 'file', 'write the trace here instead of the state folder'),
  flag('label', 'name', 'a short name for the session'),
  flag('meta', 'key=value', 'a note in the session’s metadata (repeat)', true),
  flag('env', 'key=value', 'a variable for the server (repeat)', true),
  flag('cwd', 'folder', 'where the server runs'),
];

/** What was given for the flags, by their names. */
export type CaptureFlagValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Turns flags and the words after `--` into what the capture needs. */
export function captureOptionsFrom(values: CaptureFlagValues, words: readonly string[]): StdioCaptureOptions {
  const transport = values.transport ?? 'stdio';
  if (transport !== 'stdio') {
    throw usage(`Unknown transport: ${String(transport)}`, 'Known: stdio.');
  }
  const traceFile = text(values, 'trace-file');
  const sessionFile = text(values, 'session-file');
  if (traceFile !== undefined && sessionFile !== undefined && resolve(traceFile) === resolve(sessionFile)) {
    throw usage('The trace and the session file are one file', 'Give them two names.');
  }
  return {
    command: commandFrom(text(values, 'target-command'), words),
    label: text(values, 'label'),
    metadata: pairsFrom(values, 'meta'),
    env: pairsFrom(values, 'env'),
    cwd: text(values, 'cwd'),
    traceFile,
    sessionFile,
  };
}

function flag(name: string, value: string, help: string, repeats = false): CaptureFlag {
  return { name, value, repeats, help };
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

function pairsFrom(values: CaptureFlagValues, name: string): Record<string, string> {
  const given = values[name] ?? [];
  const pairs = typeof given === 'string' ? [given] : given;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usage(`--${name} ${pair} has no value`, `Write --${name} key=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function usage(message: string, hint: string): ReelError {
  return new ReelError('usage', message, { hint });
}
