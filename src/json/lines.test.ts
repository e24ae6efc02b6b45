import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString, chunksOf, cuts } from '../../test/support/sample-texts.ts';
import {
  concatBytes,
  type DecodedLine,
  decodeUtf8,
  findInvalidUtf8,
  includesBytes,
  LineSplitter,
  type TextLine,
} from './lines.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Feeds chunks through one buffer that is overwritten after each push, as a caller that reuses its memory would. */
function linesOf(...chunks: readonly Uint8Array[]): DecodedLine[] {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) => {
    const lent = Buffer.from(chunk);
    const completed = splitter.push(lent);
    lent.fill(0x21);
    return completed;
  });
  return [...lines, ...splitter.end()].map(withoutPlace);
}

function withoutPlace(line: DecodedLine): DecodedLine {
  if ('bytes' in line) return { bytes: line.bytes, faultOffset: line.faultOffset, ended: line.ended };
  const { text, ended } = line;
  return { text, ended };
}

/** Bytes in which line feeds, characters of every length and broken characters are common. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r', '\r\n', 'a', 'é', '€', '😀', '\u2028', '\ufeff').map(encode),
      fc
        .constantFrom([0xff], [0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0xc0, 0xaf])
        .map((bytes) => Uint8Array.from(bytes)),
      fc.uint8Array({ maxLength: 3 }),
    ),
    { maxLength: 20 },
  )
  .map(concatBytes);

/** The index of the first byte that does not start a valid character. */
function firstInvalid(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = [1, 2, 3, 4].find((size) => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)));
    if (length === undefined) return at;
    at += length;
  }
  return at;
}

/** The lines of some bytes, found by a slow reference implementation. */
function expectedLines(bytes: Uint8Array): DecodedLine[] {
  const lines: DecodedLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(0x0a, start);
    const ended = feed >= 0;
    const line = bytes.slice(start, ended ? feed : bytes.length);
    lines.push(
      isUtf8(line)
        ? { text: Buffer.from(line).toString('utf8'), ended }
        : { bytes: line, faultOffset: firstInvalid(line), ended },
    );
    start += line.length + 1;
  }
  return lines;
}

describe('LineSplitter', () => {
  it.each([
    ['shorter than', 1_200_000],
    ['as long as', 4_000_009],
    ['longer than', 9_000_000],
  ])('reads long lines of an input that is %s expected', (_, expectedBytes) => {
    const lines = ['x', 'é'.repeat(1_000_000), '', 'b'.repeat(2_000_000), 'end'];
    const bytes = encode(lines.join('\n'));
    const splitter = new LineSplitter(undefined, expectedBytes);
    const read: DecodedLine[] = [];
    for (let at = 0; at < bytes.length; at += 65_535) {
      const lent = bytes.slice(at, at + 65_535);
      read.push(...splitter.push(lent));
      lent.fill(0x21);
    }
    read.push(...splitter.end());
    expect(read.map((line) => ('text' in line ? line.text : line.bytes))).toEqual(lines);
  });

  it('returns each line without its line feed, including blank lines', () => {
    expect(linesOf(encode('a\n\n b \n'))).toEqual([
      { text: 'a', ended: true },
      { text: '', ended: true },
      { text: ' b ', ended: true },
    ]);
  });

  it('marks a last line without a line feed', () => {
    expect(linesOf(encode('a\nb'))).toEqual([
      { text: 'a', ended: true },
      { text: 'b', ended: false },
    ]);
  });

  it('returns no line for empty input, and no line twice', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(new Uint8Array(0))).toEqual([]);
    expect(splitter.end()).toEqual([]);
    splitter.push(encode('a'));
    expect(splitter.end()).toHaveLength(1);
    expect(splitter.end()).toEqual([]);
  });

  it('treats CR, form feed, U+0085, U+2028, U+2029 and a byte order mark as content', () => {
    const text = '\ufeffa\rb\f\u0085\u2028\u2029\r';
    expect(linesOf(encode(`${text}\n`))).toEqual([{ text, ended: true }]);
  });

  it('decodes a character that is split across chunks', () => {
    const bytes = encode('😀€é\n');
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(linesOf(...single)).toEqual([{ text: '😀€é', ended: true }]);
  });

  it('returns a line that is not UTF-8 as bytes and decodes the lines around it', () => {
    const bytes = concatBytes([encode('é\n'), Uint8Array.of(0x61, 0xff, 0x62), encode('\n€\n')]);
    expect(linesOf(bytes)).toEqual([
      { text: 'é', ended: true },
      { bytes: Uint8Array.of(0x61, 0xff, 0x62), faultOffset: 1, ended: true },
      { text: '€', ended: true },
    ]);
  });

  it('returns a last line that ends within a character as bytes', () => {
    expect(linesOf(Uint8Array.of(0x61, 0xe2, 0x82))).toEqual([
      { bytes: Uint8Array.of(0x61, 0xe2, 0x82), faultOffset: 1, ended: false },
    ]);
  });

  it('does not let a line feed complete a character', () => {
    expect(linesOf(Uint8Array.of(0xc3, 0x0a, 0xa9, 0x0a))).toEqual([
      { bytes: Uint8Array.of(0xc3), faultOffset: 0, ended: true },
      { bytes: Uint8Array.of(0xa9), faultOffset: 0, ended: true },
    ]);
  });

  it.each([
    ['a Uint8Array', (bytes: Uint8Array) => Uint8Array.from(bytes)],
    ['a Buffer', (bytes: Uint8Array) => Buffer.from(bytes)],
  ])('keeps a line unchanged if the caller overwrites %s after the push', (_, lend) => {
    const splitter = new LineSplitter();
    const lines: DecodedLine[] = [];
    for (const part of [encode('first\nsec'), encode('ond'), Uint8Array.of(0x0a, 0xff, 0x0a, 0x7a)]) {
      const chunk = lend(part);
      lines.push(...splitter.push(chunk));
      chunk.fill(0x21);
    }
    expect([...lines, ...splitter.end()].map(withoutPlace)).toEqual([
      { text: 'first', ended: true },
      { text: 'second', ended: true },
      { bytes: Uint8Array.of(0xff), faultOffset: 0, ended: true },
      { text: 'z', ended: false },
    ]);
  });

  it('reports how many bytes of an unfinished line it buffers', () => {
    const splitter = new LineSplitter();
    expect(splitter.pendingBytes).toBe(0);
    splitter.push(encode('a\n€'));
    splitter.push(encode('b'));
    expect(splitter.pendingBytes).toBe(4);
    splitter.push(encode('\n'));
    expect(splitter.pendingBytes).toBe(0);
  });

  it('returns the same lines for any bytes in any chunking', () => {
    fc.assert(
      fc.property(anyBytes, cuts, (bytes, places) => {
        expect(linesOf(...chunksOf(bytes, places))).toEqual(expectedLines(bytes));
      }),
    );
  });

  it('says where each line ends, its line feed included, in any chunking', () => {
    fc.assert(
      fc.property(anyBytes, cuts, (bytes, places) => {
        const splitter = new LineSplitter();
        const lines = [...chunksOf(bytes, places).flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
        const feeds = [...bytes.keys()].filter((at) => bytes[at] === 0x0a).map((at) => at + 1);
        const hasRest = bytes.length > 0 && bytes.at(-1) !== 0x0a;
        expect(lines.map(({ end }) => end)).toEqual(hasRest ? [...feeds, bytes.length] : feeds);
      }),
    );
  });

  it('keeps every line of a text in any chunking', () => {
    fc.assert(
      fc.property(fc.array(anyString.map((text) => text.replace(/\n|\p{Cs}/gu, ''))), cuts, (texts, places) => {
        const bytes = encode(texts.map((text) => `${text}\n`).join(''));
        const splitter = new LineSplitter();
        const lines = [...chunksOf(bytes, places).flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
        expect(lines.map(withoutPlace)).toEqual(texts.map((text) => ({ text, ended: true })));
        for (const line of lines) {
          const { start = -1, text } = line as TextLine;
          expect(
            Buffer.from(bytes)
              .subarray(start, start + Buffer.byteLength(text))
              .toString(),
          ).toBe(text);
        }
      }),
    );
  });
});

describe('findInvalidUtf8', () => {
  it.each([
    [[0xc3, 0x28], 0],
    [[0x61, 0xe2, 0x82, 0x61], 1],
    [[0xf0, 0x9f, 0x98], 0],
    [[0xed, 0xa0, 0x80], 0],
    [[0x61, 0xc0, 0xaf], 1],
    [[0xf4, 0x90, 0x80, 0x80], 0],
    [[0xc3, 0xa9, 0xa9], 2],
    [[0xef, 0xbb, 0xbf, 0xff], 3],
    [[0xc3, 0xa9], 2],
    [[], 0],
  ])('finds the first invalid byte of %j at %i', (bytes, offset) => {
    expect(findInvalidUtf8(Uint8Array.from(bytes))).toBe(offset);
  });

  it('finds the first invalid byte of any input', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(findInvalidUtf8(bytes)).toBe(firstInvalid(bytes));
      }),
    );
  });
});

describe('decodeUtf8', () => {
  it('returns text, including a byte order mark, or undefined for invalid UTF-8', () => {
    expect(decodeUtf8(encode('\ufeffé'))).toBe('\ufeffé');
    expect(decodeUtf8(Uint8Array.of(0xff))).toBeUndefined();
  });
});

describe('includesBytes', () => {
  it('agrees with Buffer.includes', () => {
    const few = fc.uint8Array({ max: 3, maxLength: 40 });
    fc.assert(
      fc.property(few, fc.uint8Array({ max: 3, minLength: 1, maxLength: 4 }), (bytes, requested) => {
        expect(includesBytes(bytes, requested)).toBe(Buffer.from(bytes).includes(Buffer.from(requested)));
      }),
    );
  });
});
