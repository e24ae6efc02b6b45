import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventCutter, type EventPiece } from './event-cutter.ts';
import { eventIn } from './event-frame.ts';
import { isAtEventStart, STREAM_START, tailAfter } from './event-tail.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const textOf = ({ bytes: some }: Pick<EventPiece, 'bytes'>): string => Buffer.from(some).toString();

function cut(chunks: readonly string[], limit = 1000): EventPiece[] {
  const cutter = new EventCutter(limit);
  const pieces = chunks.flatMap((chunk) => cutter.push(bytes(chunk)));
  const rest = cutter.flush();
  return rest === undefined ? pieces : [...pieces, { kind: 'part', bytes: rest }];
}

const lineEnd = fc.constantFrom('\n', '\r', '\r\n');
const line = fc.constantFrom(
  'data: {"a":1}',
  'data',
  ': hm',
  'id: 4',
  'retry: 5',
  'event: x',
  '',
  '',
  'é',
  'data: "ü"',
);
const stream = fc.array(fc.tuple(line, lineEnd), { maxLength: 20 }).map((lines) => lines.flat().join(''));

/** A text, and the same text cut at random positions. */
const chunked = fc.tuple(stream, fc.array(fc.nat(200))).map(([text, cuts]) => {
  const places = [0, ...cuts.map((place) => place % (text.length + 1)).sort((one, other) => one - other), text.length];
  return { text, chunks: places.slice(1).map((place, at) => text.slice(places[at], place)) };
});

describe('cutting an event stream', () => {
  it('produces pieces that add up to the stream, for any chunks', () => {
    fc.assert(
      fc.property(chunked, fc.constantFrom(5, 12, 1000), ({ text, chunks }, limit) => {
        expect(cut(chunks, limit).map(textOf).join('')).toBe(text);
      }),
    );
  });

  it('produces the same events for any chunks', () => {
    const sent = (pieces: readonly EventPiece[]): unknown[] =>
      pieces.filter(({ kind }) => kind === 'event').map((piece) => eventIn(piece.bytes, false));
    fc.assert(
      fc.property(chunked, ({ text, chunks }) => {
        expect(sent(cut(chunks))).toEqual(sent(cut([text])));
      }),
    );
  });

  it('starts at any offset, after the event that is in progress there', () => {
    fc.assert(
      fc.property(stream, fc.nat(200), (text, at) => {
        const [before, after] = [text.slice(0, at), text.slice(at)];
        const tail = tailAfter(STREAM_START, bytes(before));
        const pieces = new EventCutter(1000, tail).push(bytes(after));
        const events = pieces.filter(({ kind }) => kind === 'event').map(textOf);
        // Every event cut from the chunks is also an event of the whole text.
        const whole = cut([text]).map(textOf).join('|');
        for (const event of events) expect(whole).toContain(event);
        if (!isAtEventStart(tail)) expect(pieces[0]?.kind ?? 'part').toBe('part');
      }),
    );
  });
});

describe('the pieces of an event stream', () => {
  it('cuts a stream into complete events and the filler between them', () => {
    expect(
      cut([': hello\n\ndata: 1\nid: 2\n\n: there\ndata: 3\r\n\r\n']).map((piece) => [piece.kind, textOf(piece)]),
    ).toEqual([
      ['filler', ': hello\n'],
      ['filler', '\n'],
      ['event', 'data: 1\nid: 2\n\n'],
      ['filler', ': there\n'],
      ['event', 'data: 3\r\n\r\n'],
    ]);
  });

  it('does not wait for a line feed after a carriage return', () => {
    expect(cut(['data: 1\r', '\r', '\ndata: 2\r\r']).map((piece) => [piece.kind, textOf(piece)])).toEqual([
      ['event', 'data: 1\r\r'],
      ['part', '\n'],
      ['event', 'data: 2\r\r'],
    ]);
  });

  it('cuts an event beyond the limit into parts, up to its end', () => {
    const pieces = cut(['data: 12345', '67890', '\n\n', 'data: 1\n\n'], 12).map((piece) => [piece.kind, textOf(piece)]);
    expect(pieces).toEqual([
      ['long', 'data: 1234567890'],
      ['long', '\n\n'],
      ['event', 'data: 1\n\n'],
    ]);
  });

  it('does not treat the rest of a long line as a comment if it starts with a colon', () => {
    const pieces = cut(['data: {"jsonrpc"', ':1}\n\n', 'data: 1\n\n'], 12).map((piece) => [piece.kind, textOf(piece)]);
    expect(pieces).toEqual([
      ['long', 'data: {"jsonrpc"'],
      ['long', ':1}\n\n'],
      ['event', 'data: 1\n\n'],
    ]);
  });

  it('yields a comment as soon as its line ends', () => {
    const cutter = new EventCutter(1000);
    expect(cutter.push(bytes(': keep')).map(textOf)).toEqual([]);
    expect(cutter.push(bytes(' alive\n')).map(textOf)).toEqual([': keep alive\n']);
  });
});
