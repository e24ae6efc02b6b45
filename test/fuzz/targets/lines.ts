import { Buffer } from 'node:buffer';
import { FrameReader } from '../../../src/control/frame-reader.ts';
import { type DecodedLine, LineSplitter } from '../../../src/json/lines.ts';
import { StdioGate } from '../../../src/proxy/stdio/stdio-gate.ts';
import { BoundedLines, type LongLine } from '../../../src/transport/bounded-lines.ts';
import { frameOf } from '../../../src/transport/stdio-frame.ts';
import { sampleInterceptor } from '../../support/proxy/sample-interceptor.ts';
import { chunksOf } from '../../support/sample-texts.ts';
import { Random } from '../random.ts';
import { corpusSeeds } from '../seeds.ts';
import { hold, same, type Target } from '../target.ts';

const seeds = (): Uint8Array[] => corpusSeeds('trace', 'jsonrpc', 'mcpsnoop', 'mcporter', 'mcp-rec', 'claude-code');

/** Fuzzes streams that are split into lines: the stdio taps, and the gate that holds lines. */
export const lineTargets: readonly Target[] = [
  { name: 'lines', perSecond: 800, seeds, check: checkLines },
  { name: 'stdio-gate', perSecond: 5000, seeds, check: checkGate },
];

const LIMIT = 200;

function checkLines(input: Uint8Array): void {
  const random = Random.of(input);
  const chunks =
    input.length < 2000 && random.oneIn(3) ? bytesOf(input) : chunksOf(input, random.cuts(input.length, 12));
  const lines = splitLines(chunks);
  same(lines, splitLines([input]), 'lines are the same in any chunks');
  same(Buffer.concat(lines.map(bytesOfLine)).equals(input), true, 'the lines are the stream');
  const bounded = boundedLines(chunks, LIMIT);
  same(bounded, boundedLines([input], LIMIT), 'bounded lines are the same in any chunks');
  same(bounded.length, lines.length, 'no line is lost for its length');
  for (const [index, line] of bounded.entries()) {
    const whole = lines[index];
    if (whole === undefined) continue;
    const size = bytesOfLine({ ...whole, ended: false }).length;
    same('sha256' in line, size > LIMIT, 'a line is long beyond the limit');
    if ('sha256' in line) same(line.size, size, 'a long line has its size');
    else same(line, whole, 'a short line is itself');
    frameOf(line);
  }
  checkFrames(input, chunks);
}

/** Expects every line on a socket to be reported, up to the first that cannot be read. */
function checkFrames(input: Uint8Array, chunks: readonly Uint8Array[]): void {
  const reported = (parts: readonly Uint8Array[]): unknown => {
    const lines: string[] = [];
    const faults: string[] = [];
    const reader = new FrameReader(LIMIT, {
      onLine: (text) => lines.push(text),
      onFault: (fault) => faults.push(fault),
    });
    for (const part of parts) reader.push(part);
    hold(faults.length <= 1, 'a fault is told once', () => faults);
    return { lines, faults };
  };
  same(reported(chunks), reported(bytesOf(input)), 'frames are the same in any chunks');
}

function splitLines(chunks: readonly Uint8Array[]): DecodedLine[] {
  const splitter = new LineSplitter();
  return [...lent(chunks).flatMap((chunk) => take(chunk, (bytes) => splitter.push(bytes))), ...splitter.end()];
}

function boundedLines(chunks: readonly Uint8Array[], limit: number): (DecodedLine | LongLine)[] {
  const lines = new BoundedLines(limit);
  return [...lent(chunks).flatMap((chunk) => take(chunk, (bytes) => lines.push(bytes))), ...lines.end()];
}

/** Chunks whose memory is overwritten after each is processed. */
function lent(chunks: readonly Uint8Array[]): Uint8Array[] {
  return chunks.map((chunk) => Uint8Array.from(chunk));
}

function take<T>(chunk: Uint8Array, push: (bytes: Uint8Array) => T): T {
  const taken = push(chunk);
  chunk.fill(0x21);
  return taken;
}

function bytesOfLine(line: DecodedLine): Uint8Array {
  const bytes = 'text' in line ? Buffer.from(line.text) : line.bytes;
  return line.ended ? Buffer.concat([bytes, Uint8Array.of(0x0a)]) : bytes;
}

function bytesOf(input: Uint8Array): Uint8Array[] {
  return [...input].map((byte) => Uint8Array.of(byte));
}

/** However lines are held, watched and released, the receiver gets every byte in order in the end. */
function checkGate(input: Uint8Array): void {
  const random = Random.of(input);
  const interceptor = sampleInterceptor({
    mode: random.pick(['intercept', 'passthrough']),
    wants: () => random.oneIn(2),
  });
  const sent: Uint8Array[] = [];
  let recorded = 0;
  const gate = new StdioGate(
    {
      ...{ direction: 'client_to_server', interceptor, nowMs: () => 0, maxMessageBytes: 4096, outOfOrder: false },
      copy: { goesFirst: false, push: () => recorded++ },
      onSettled: () => recorded++,
      onUnsent: () => undefined,
      answer: () => undefined,
      replace: () => undefined,
    },
    { forward: (bytes) => sent.push(bytes), pause: () => undefined, resume: () => undefined },
  );
  for (const chunk of chunksOf(input, random.cuts(input.length, 12))) {
    gate.take(Buffer.from(chunk));
    const held = interceptor.held[0];
    if (held !== undefined && random.oneIn(2)) interceptor.decide(held.id, { action: 'forward' });
    if (random.oneIn(6)) interceptor.setMode(random.pick(['intercept', 'passthrough']));
  }
  void gate.end();
  interceptor.setMode('passthrough');
  same(Buffer.concat(sent).equals(input), true, 'the gate passes every byte on, in order');
  hold(recorded > 0 || input.length === 0, 'what passes is seen');
}
