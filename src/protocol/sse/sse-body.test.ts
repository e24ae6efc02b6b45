import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeSse, parseSseBody } from './sse-body.ts';

const data = (body: string): string[] => parseSseBody(body).map((event) => event.data);

describe('parseSseBody', () => {
  it('reads every field of an event', () => {
    expect(parseSseBody(': hi\nevent: note\nid: 7\nretry: 3000\ndata: {"a":1}\n\ndata: {}\n\n')).toEqual([
      { event: 'note', id: '7', retryMs: 3000, data: '{"a":1}' },
      { event: 'message', id: undefined, retryMs: undefined, data: '{}' },
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('accepts lines that end with %j', (end) => {
    const body = ['id: 1', 'data: a', 'data: b', '', 'data:c', '', ''].join(end);
    expect(parseSseBody(body).map(({ id, data: of }) => [id, of])).toEqual([
      ['1', 'a\nb'],
      [undefined, 'c'],
    ]);
  });

  it('skips a single byte order mark at the start', () => {
    expect(data('\uFEFFdata: a\n\n')).toEqual(['a']);
    expect(data('\uFEFF\uFEFFdata: a\n\n')).toEqual([]);
  });

  it('strips one space after the colon and no more', () => {
    expect(data('data:  a \n\ndata:b\n\ndata\n\ndata:\n\n')).toEqual([' a ', 'b', '', '']);
  });

  it('yields no event without data', () => {
    expect(data('event: x\nid: 1\n\n: only a comment\n\n\n\nunknown: 1\n\n')).toEqual([]);
  });

  it('yields the last event even if its end was not captured', () => {
    expect(data('data: a\n\ndata: b')).toEqual(['a', 'b']);
  });

  it.each([
    ['id: a\0b', { id: undefined }],
    ['id:', { id: '' }],
    ['retry: 1.5', { retryMs: undefined }],
    ['retry: -1', { retryMs: undefined }],
    ['event:', { event: 'message' }],
  ])('reads %j as the standard specifies', (line, expected) => {
    expect(parseSseBody(`${line}\ndata: x\n\n`)).toMatchObject([expected]);
  });

  it('returns the data of any events', () => {
    const event = fc.record({ id: fc.option(fc.uuid(), { nil: undefined }), data: fc.string({ unit: 'grapheme' }) });
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom('\n', '\r\n', '\r'), (events, end) => {
        const lines = events.flatMap(({ id, data: text }) => [
          ...(id === undefined ? [] : [`id: ${id}`]),
          ...text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
          '',
        ]);
        const read = parseSseBody(lines.map((line) => line + end).join(''));
        expect(read.map(({ id, data: text }) => ({ id, data: text }))).toEqual(
          events.map(({ id, data: text }) => ({ id, data: text.replace(/\r\n|\r/g, '\n') })),
        );
      }),
    );
  });

  it('returns a list for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(parseSseBody(text))));
  });
});

describe('looksLikeSse', () => {
  it.each(['data: {}', 'event: message\ndata: {}', ': hello\n\n', '\uFEFFid: 1\n', '\r\nretry: 1\n', 'data\n'])(
    'accepts %j',
    (body) => expect(looksLikeSse(body)).toBe(true),
  );

  it.each(['', '{"data":1}', 'datum: 1', 'Not Found', ' data: 1'])('rejects %j', (body) =>
    expect(looksLikeSse(body)).toBe(false),
  );
});
