import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../../test/support/growth.ts';
import { type SseItem, SseStream } from './sse-stream.ts';

const NOTHING = { event: 'message', id: undefined, retryMs: undefined, data: undefined };

function read(chunks: readonly string[], limit?: number): SseItem[] {
  const stream = new SseStream(limit);
  return [...chunks.flatMap((chunk) => stream.push(chunk)), ...stream.end()];
}

/** A stream's text, cut at these positions. */
function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b);
  return [0, ...sorted].map((place, i) => text.slice(place, sorted[i] ?? text.length));
}

const streamText = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\uFEFF', ':', ' ', '\0'),
      fc.constantFrom(
        'data',
        'event',
        'id',
        'retry',
        'data: ',
        'data:{"a":1}',
        'id: 7',
        'retry: 5',
        'event: x',
        ': hi',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

/** A reference implementation of the standard, which takes a whole text and ignores memory. */
function readPlainly(text: string, limit: number): SseItem[] {
  const items: SseItem[] = [];
  const blocks: string[][] = [[]];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    if (line !== '') blocks.at(-1)?.push(line);
    else if (index < lines.length - 1) blocks.push([]);
  }
  for (const [index, block] of blocks.entries()) {
    const fields = block.map((line) => /^([^:]*):? ?(.*)$/s.exec(line)?.slice(1) ?? []);
    const of = (name: string): string[] => fields.filter(([field]) => field === name).map(([, value]) => value ?? '');
    const id = of('id').findLast((value) => !value.includes('\0'));
    const retry = of('retry').findLast((value) => /^[0-9]{1,15}$/.test(value));
    const name = of('event').at(-1) ?? '';
    const data = of('data').length === 0 ? undefined : of('data').join('\n');
    if (data === undefined && id === undefined && retry === undefined && name === '') continue;
    const size = data?.length ?? 0;
    items.push({
      event: name === '' ? 'message' : name,
      id,
      retryMs: retry === undefined ? undefined : Number(retry),
      data: size > limit ? undefined : data,
      ...(size > limit && { tooLong: size }),
      ...(index === blocks.length - 1 && { cut: true }),
    });
  }
  return items;
}

describe('SseStream', () => {
  it('yields each event with the chunk that ends it', () => {
    const stream = new SseStream();
    expect(stream.push('event: message\ndata: {"a":1}\n\n')).toEqual([{ ...NOTHING, data: '{"a":1}' }]);
    expect(stream.push('data: b\n\nid: 2\ndata: c\n\nda')).toEqual([
      { ...NOTHING, data: 'b' },
      { ...NOTHING, id: '2', data: 'c' },
    ]);
    expect(stream.push('ta: d')).toEqual([]);
    expect(stream.push('\n')).toEqual([]);
    expect(stream.push('\n')).toEqual([{ ...NOTHING, data: 'd' }]);
    expect(stream.end()).toEqual([]);
  });

  it('does not wait for the line feed after a carriage return', () => {
    const stream = new SseStream();
    expect(stream.push('data: a\r\n\r')).toEqual([{ ...NOTHING, data: 'a' }]);
    expect(stream.push('\ndata: b\r')).toEqual([]);
    expect(stream.push('\r')).toEqual([{ ...NOTHING, data: 'b' }]);
  });

  it('yields events that only carry an id, a retry or a name', () => {
    expect(read(['id: 1\nretry: 500\n\n', 'id\n\n', 'event: ping\n\n', ': alive\n\n', 'data:\nid: 2\n\n'])).toEqual([
      { ...NOTHING, id: '1', retryMs: 500 },
      { ...NOTHING, id: '' },
      { ...NOTHING, event: 'ping' },
      { ...NOTHING, id: '2', data: '' },
    ]);
  });

  it.each(['data: a', 'data: a\n', 'data: a\r'])(
    'marks an event that is cut off by the end of the stream: %j',
    (text) => {
      expect(read([text])).toEqual([{ ...NOTHING, data: 'a', cut: true }]);
    },
  );

  it('skips one byte order mark, and only at the start', () => {
    expect(read(['', '\uFEFF', 'data: a\n\n', '\uFEFFdata: b\n\n'])).toEqual([{ ...NOTHING, data: 'a' }]);
  });

  it('omits data beyond the limit and reports its length', () => {
    const long = 'x'.repeat(30_000);
    const chunks = [`id: 1\ndata: ${long}`, long, `${long}\ndata: y\n\n`, `data: ${long}\n\n`, 'data: 12345\n\n'];
    expect(read(chunks, 5)).toEqual([
      { ...NOTHING, id: '1', tooLong: 90_002 },
      { ...NOTHING, tooLong: 30_000 },
      { ...NOTHING, data: '12345' },
    ]);
  });

  it('skips a comment, an id and an event name beyond the limit', () => {
    const long = 'x'.repeat(20_000);
    const chunks = [`: ${long}`, `${long}\nid: ${long}`, `${long}\nevent: ${long}\ndata: a\n\n`];
    expect(read(chunks, 5)).toEqual([{ ...NOTHING, data: 'a' }]);
  });

  it('reads any text as the standard specifies, for any chunks and any limit', () => {
    fc.assert(
      fc.property(streamText, fc.array(fc.nat()), fc.option(fc.nat(20)), (text, places, max) => {
        const limit = max ?? Number.POSITIVE_INFINITY;
        expect(read(cutAt(text, places), limit)).toEqual(readPlainly(text, limit));
      }),
    );
  });

  it('reads long lines the same in one chunk and in many', () => {
    const line = fc.tuple(fc.constantFrom('data:', 'data: ', 'data', 'id: ', 'event: ', ':'), fc.nat(8));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, places) => {
        const text = lines.map(([start, more]) => `${start}${'x'.repeat(8192 + more)}\n`).join('');
        expect(read(cutAt(text, places), 100)).toEqual(read([text], 100));
      }),
    );
  });

  it('reads a long line in small chunks in linear time', async () => {
    const take = (chunks: number) => () => {
      const stream = new SseStream();
      stream.push('data: ');
      for (let i = 0; i < chunks; i++) stream.push('0123456789');
      expect(stream.push('\n\n')[0]?.data).toHaveLength(chunks * 10);
    };
    await expectLinearGrowth({ small: take(50_000), large: take(1_000_000), times: 20 });
  });
});
