import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonLines } from '../support/recordings.ts';
import { echoServer, mirrorServer, scriptServer } from '../support/servers.ts';
import { type ByteStream, byteStreams, hugeLine } from './byte-streams.ts';
import { framesIn, linesIn, orderOf, streamsOf, wellOrdered } from './framing.ts';
import { type Peer, type Seen, summary } from './peer.ts';
import { type Drive, expectSame } from './side-by-side.ts';

/** Sends a stream to an echo server, piece by piece if it is cut. */
function say({ bytes, cuts = [] }: Pick<ByteStream, 'bytes' | 'cuts'>): Drive<Seen> {
  return async (peer: Peer) => {
    let start = 0;
    for (const cut of cuts) {
      await peer.write(bytes.subarray(start, cut));
      await Promise.all([peer.out.count(cut), peer.err.count(cut)]);
      start = cut;
    }
    return peer.end(bytes.subarray(start));
  };
}

/** Expects a stream to pass unchanged to the server and back on both outputs, and all three to be recorded. */
async function expectWhole(stream: Pick<ByteStream, 'bytes' | 'cuts'>, pieceBytes?: number): Promise<void> {
  const { bytes } = stream;
  const stderr = Buffer.concat([bytes, createHash('sha256').update(bytes).digest()]);
  const sight = { status: 0, stdout: summary(bytes), stderr: summary(stderr) };
  const startedAt = new Date().toISOString();
  const trace = await expectSame(mirrorServer(pieceBytes), say(stream), sight);
  expect(streamsOf(trace)).toEqual({ in: framesIn(bytes), out: framesIn(bytes), err: linesIn(stderr) });
  expect(orderOf(trace)).toEqual(wellOrdered);
  expectTimesWithin(trace, startedAt, new Date().toISOString());
}

function expectTimesWithin(trace: string, from: string, to: string): void {
  const times = [...trace.matchAll(/^\{(?:"v":1,"type":"meta","startedAt"|"t"):"([^"]+)"/gm)].map(([, time]) => time);
  expect([from, ...times, to].toSorted()).toEqual([from, ...times, to]);
}

const rows = byteStreams.map((stream) => [stream.name, stream] as const);

it.each(rows)(
  'forwards bytes in both directions and on stderr unchanged, and records them exactly: %s',
  async (_, stream) => {
    await expectWhole(stream);
  },
);

it('forwards and records output that a server writes byte by byte', async () => {
  const text = '{"jsonrpc":"2.0","method":"é✓😀"}\r\nnoise\n\n{"id":1}\n'.repeat(20);
  await expectWhole({ bytes: Buffer.from(text) }, 1);
});

it('forwards a line of many megabytes unchanged in both directions, and records it exactly', async () => {
  const sight = { status: 0, stdout: summary(hugeLine), stderr: '' };
  const trace = await expectSame(echoServer, say({ bytes: hugeLine }), sight);
  expect(streamsOf(trace)).toEqual({ in: framesIn(hugeLine), out: framesIn(hugeLine), err: [] });
});

it('forwards and records alternating stdout and stderr output in order', async () => {
  const ask = '{"jsonrpc":"2.0","method":"next"}\n';
  const script = `
    let turn = 0;
    process.stdin.on('data', () => fs.writeSync(++turn % 2 ? 1 : 2, '{"turn":' + turn + '}\\n'));`;
  const drive: Drive<string> = async (peer) => {
    for (let turn = 1; turn <= 40; turn++) {
      await peer.write(ask);
      await (turn % 2 ? peer.out : peer.err).text(`{"turn":${turn}}\n`);
    }
    return (await peer.end()).stderr.slice(0, 24);
  };
  const trace = await expectSame(scriptServer(script), drive, '{"turn":2}\n{"turn":4}\n{"');
  const seen = jsonLines(trace)
    .slice(1, -1)
    .map(({ dir, raw }) => (dir === 'event' ? (raw as { text: string }).text : JSON.stringify(raw)));
  const turns = Array.from({ length: 40 }, (_, index) => [ask.trim(), `{"turn":${index + 1}}`]);
  expect(seen).toEqual(turns.flat());
});

it('forwards any bytes in any chunks unchanged, and records them exactly', async () => {
  const fragments = ['\n', '\r\n', '\r', '{"id":1}', '{"m":"é😀"}', '[{"id":2}]', ' ', '\0', '\u2028', '\uFEFF', 'log'];
  const part = fc.oneof(
    fc.constantFrom(...fragments).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
  );
  const streams = fc.array(fc.array(part, { maxLength: 12 }), { maxLength: 5 }).map((pieces) => {
    const parts = pieces.map((piece) => Buffer.concat(piece));
    const ends = parts.map((_, index) => parts.slice(0, index + 1).reduce((sum, { length }) => sum + length, 0));
    return { bytes: Buffer.concat(parts), cuts: ends.slice(0, -1) };
  });
  await fc.assert(
    fc.asyncProperty(streams, fc.integer({ min: 1, max: 8 }), (stream, max) => expectWhole(stream, max)),
    { numRuns: 10 },
  );
});
