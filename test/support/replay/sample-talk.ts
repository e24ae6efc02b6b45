import { PassThrough } from 'node:stream';
import type { Direction, JsonText, MessageEntry } from '../../../src/model/entry.ts';
import { type RecordedSession, unnamedHeader } from '../../../src/model/session.ts';
import { readEnvelope } from '../../../src/protocol/envelope.ts';
import { Pairing } from '../../../src/protocol/pairing.ts';
import type { ReplayDeps, ReplayOptions } from '../../../src/replay/replay-options.ts';
import { BoundedLines } from '../../../src/transport/bounded-lines.ts';
import type { TargetProcess } from '../../../src/transport/process/target-process.ts';

/** Makes a session from messages, for tests. `>` precedes a message of the client, `<` one of the server. */
export function sessionOf(
  lines: readonly (string | object)[],
  atMs: (index: number) => number = (index) => index,
): RecordedSession {
  const sent: [Direction, JsonText][] = [];
  let direction: Direction = 'client_to_server';
  for (const line of lines) {
    if (line === '>' || line === '<') direction = line === '>' ? 'client_to_server' : 'server_to_client';
    else sent.push([direction, typeof line === 'string' ? line : JSON.stringify(line)]);
  }
  return sessionFrom(sent, atMs);
}

export function sessionFrom(
  sent: readonly (readonly [Direction, JsonText])[],
  atMs: (index: number) => number = (index) => index,
): RecordedSession {
  const pairing = new Pairing();
  const entries = sent.map(([direction, text], sequence): MessageEntry => {
    const envelope = readEnvelope(text);
    const proxyId = `message-${sequence}`;
    const correlatedId = pairing.match({ proxyId, direction }, envelope);
    return { kind: 'message', sequence, proxyId, atMs: atMs(sequence), direction, text, envelope, correlatedId };
  });
  return {
    format: 'json',
    header: unnamedHeader('sample'),
    footer: undefined,
    async *batches() {
      yield entries;
    },
  };
}

/** An in-process server: it receives lines, and sends messages with `say`. */
export type InProcess = (say: (message: object) => void, end: (code: number) => void) => (line: string) => void;

/** A target for tests that is not a separate process. */
function inProcess(serve: InProcess): () => Promise<TargetProcess> {
  return async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    let exit: (status: { code: number }) => void = () => undefined;
    const exited = new Promise<{ code: number }>((resolve) => {
      exit = resolve;
    });
    const end = (code: number): void => {
      stdout.end();
      stderr.end();
      exit({ code });
    };
    const receive = serve((message) => stdout.write(`${JSON.stringify(message)}\n`), end);
    const lines = new BoundedLines(1 << 20);
    stdin.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) if ('text' in line) receive(line.text);
    });
    stdin.on('end', () => end(0));
    return { stdin, stdout, stderr, exited, release: () => undefined, signal: () => end(143) };
  };
}

/** The default replay options in tests. */
export const REPLAY_OPTIONS: ReplayOptions = {
  target: { transport: 'stdio', command: ['server'], env: {} },
  profile: 'semantic',
  ignore: [],
  timeoutMs: 5000,
  handshake: true,
  speed: 0,
  onServerRequest: 'decline',
  allowRedacted: false,
  readOnly: false,
};

/** The dependencies of a replay to an in-process server, and the notes it prints. */
export function depsFor(serve: InProcess): ReplayDeps & { readonly notes: string[] } {
  const notes: string[] = [];
  let ids = 0;
  return {
    nowMs: () => performance.now(),
    newId: () => `id-${ids++}`,
    startTarget: inProcess(serve),
    note: (line) => notes.push(line),
    onResult: () => undefined,
    notes,
  };
}
