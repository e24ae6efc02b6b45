import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EndpointRewriter } from './sse-endpoint.ts';

const TARGET = 'http://target.example:3000';
const OURS = 'http://127.0.0.1:4000';

/** The output after each of these chunks, and at the end. */
function passed(...chunks: (string | Uint8Array)[]): string[] {
  const rewriter = new EndpointRewriter(TARGET, OURS);
  const pieces = chunks.map((chunk) => rewriter.push(Buffer.from(chunk as string)));
  return [...pieces, rewriter.end()].map((piece) => Buffer.from(piece).toString('latin1'));
}

function whole(text: string): string {
  return passed(text).join('');
}

function endpoint(address: string): string {
  return `event: endpoint\ndata: ${address}\n\n`;
}

describe('EndpointRewriter', () => {
  it.each([
    ['an address of the target', `${TARGET}/messages?id=1#a`, `${OURS}/messages?id=1#a`],
    ['the bare origin', TARGET, OURS],
    ['a query without a path', `${TARGET}?id=1`, `${OURS}?id=1`],
    ['capitals', 'HTTP://Target.Example:3000/m', `${OURS}/m`],
  ])('rewrites the endpoint event to our address: %s', (_, sent, expected) => {
    expect(whole(endpoint(sent))).toBe(endpoint(expected));
  });

  it.each([
    ['a path', '/messages?id=1'],
    ['a relative path', 'messages'],
    ['an address that only has a host', '//target.example:3000/m'],
    ['another port', 'http://target.example/m'],
    ['another scheme', 'https://target.example:3000/m'],
    ['another host', 'http://target.example:3000.evil.example/m'],
    ['no address', 'http://['],
  ])('leaves the endpoint event unchanged: %s', (_, sent) => {
    expect(whole(endpoint(sent))).toBe(endpoint(sent));
  });

  it.each(['\n', '\r\n', '\r'])('accepts any line ending, and comments and a retry before the endpoint: %j', (end) => {
    const text = (address: string): string =>
      [': hi', '', 'retry: 5', '', 'id: 1', 'event:endpoint', `data:${address}`, '', ''].join(end);
    expect(whole(text(`${TARGET}/m`))).toBe(text(`${OURS}/m`));
  });

  it('accepts a byte order mark before the endpoint', () => {
    const mark = Buffer.from('\uFEFF').toString('latin1');
    expect(whole(`\uFEFF${endpoint(`${TARGET}/m`)}`)).toBe(mark + endpoint(`${OURS}/m`));
  });

  it('forwards the stream unchanged if its first event is not an endpoint', () => {
    const text = `event: message\ndata: ${TARGET}/m\n\n${endpoint(`${TARGET}/m`)}`;
    expect(whole(text)).toBe(text);
  });

  it('forwards the endpoint with its last byte, and everything after it immediately', () => {
    expect(passed('event: endpoint\n', 'data: /m\n', '\n', 'data: x', '\n')).toEqual([
      '',
      '',
      endpoint('/m'),
      'data: x',
      '\n',
      '',
    ]);
  });

  it('stops waiting for the endpoint after 16 KB, or at the end of the stream', () => {
    const long = `: ${'x'.repeat(16 << 10)}`;
    expect(passed(long, endpoint(`${TARGET}/m`))).toEqual([long, endpoint(`${TARGET}/m`), '']);
    expect(passed('event: endpoint\ndata: http://tar')).toEqual(['', 'event: endpoint\ndata: http://tar']);
  });

  it('keeps bytes that are not valid UTF-8', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x0a, 0x80]);
    const rewriter = new EndpointRewriter(TARGET, OURS);
    expect(Buffer.concat([rewriter.push(bytes), rewriter.end()])).toEqual(bytes);
  });
});

it('produces the same output for any stream in any chunks', () => {
  const fragment = fc.constantFrom(
    'event: endpoint',
    `data: ${TARGET}/m`,
    'data: /m',
    ': hi',
    'id: 1',
    'é✓',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    '\uFEFF',
  );
  const text = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (stream, cuts) => {
      const bytes = Buffer.from(stream);
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(passed(...pieces).join('')).toBe(whole(stream));
    }),
  );
});
