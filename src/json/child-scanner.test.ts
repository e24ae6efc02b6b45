import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostJsonText, arrayText, chunksOf, cuts, deepTexts, objectText } from '../../test/support/sample-texts.ts';
import { ChildScanner, type ChildScannerOptions, type JsonChild } from './child-scanner.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('utf8');

/** Feeds chunks through buffers that are overwritten after each push, and returns the scanner's whole visible state. */
function scan(chunks: readonly Uint8Array[], options?: ChildScannerOptions) {
  const scanner = new ChildScanner(options);
  const children = chunks.flatMap((chunk) => {
    const lent = Buffer.from(chunk);
    const completed = scanner.push(lent);
    lent.fill(0x21);
    return completed;
  });
  const { container, complete, unfinished, fault } = scanner;
  return { children, container, complete, unfinished, fault };
}

/** A text's children, as pairs of key (or index) and exact text. */
function scanText(text: string) {
  const { children, ...rest } = scan([encode(text)]);
  return { children: children.map(({ key, index, bytes }) => [key ?? index, decode(bytes)]), ...rest };
}

const finished = { complete: true, unfinished: undefined, fault: undefined };

describe('ChildScanner', () => {
  it('returns the members of an object with their exact bytes', () => {
    expect(scanText(' {"a" : 1.0,\n"\\u0062":[ 1 , {"x":2} ] , "é":"ü" } ')).toEqual({
      container: '{',
      children: [
        ['a', '1.0'],
        ['b', '[ 1 , {"x":2} ]'],
        ['é', '"ü"'],
      ],
      ...finished,
    });
  });

  it('returns the elements of an array with their exact bytes', () => {
    expect(scanText('[1e400, "a" ,{ },[ ],\ttrue,null\n]')).toEqual({
      container: '[',
      children: [
        [0, '1e400'],
        [1, '"a"'],
        [2, '{ }'],
        [3, '[ ]'],
        [4, 'true'],
        [5, 'null'],
      ],
      ...finished,
    });
  });

  it('returns positions as byte offsets into the input', () => {
    const input = encode('{"é":"€", "b":12}');
    expect(scan([input]).children).toEqual([
      { key: 'é', index: 0, start: 6, end: 11, bytes: encode('"€"') },
      { key: 'b', index: 1, start: 17, end: 19, bytes: encode('12') },
    ]);
  });

  it.each([
    ['{}', '{'],
    [' { } ', '{'],
    ['[]', '['],
    ['\n[\t]\r\n', '['],
  ])('finds no children in %j', (text, container) => {
    expect(scanText(text)).toEqual({ container, children: [], ...finished });
  });

  it.each([
    '[1]',
    '[ 1 ]',
    '[1\t,2\n,3\r,4\r\n]',
    '["a"]',
    '[true,false]',
    '[-1.5 ,null]',
    '{"a":1}',
    '{"a": 1 }',
    '{"a":"b","c":null}',
  ])('finds scalars next to every kind of delimiter in %s', (text) => {
    const { children, ...rest } = scanText(text);
    const parsed: unknown[] = Object.values(JSON.parse(text));
    expect(children.map(([, child]) => child)).toEqual(parsed.map((value) => JSON.stringify(value)));
    expect(rest).toMatchObject(finished);
  });

  it('does not treat brackets and quotes inside strings as structure', () => {
    const text = String.raw`{"a]}":"[{\"]},","b\\":"\\","c\"":["\\\"]","}"],"d":"\\\\"}`;
    const { children } = scanText(text);
    expect(children).toEqual([
      ['a]}', String.raw`"[{\"]},"`],
      ['b\\', String.raw`"\\"`],
      ['c"', String.raw`["\\\"]","}"]`],
      ['d', String.raw`"\\\\"`],
    ]);
  });

  it('keeps duplicate keys and __proto__ as ordinary members', () => {
    expect(scanText('{"a":1,"a":2,"__proto__":3}').children).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['__proto__', '3'],
    ]);
  });

  it('does not keep the bytes of a child that is not selected', () => {
    const requested: (string | undefined)[] = [];
    const wants = (key: string | undefined): boolean => {
      requested.push(key);
      return key === 'b';
    };
    const { children } = scan([encode('{"a":[1,2],"b":{"a":1},"c":"x"}')], { wants });
    expect(children.map(({ key, start, end, bytes }) => [key, start, end, decode(bytes)])).toEqual([
      ['a', 5, 10, undefined],
      ['b', 15, 22, '{"a":1}'],
      ['c', 27, 30, undefined],
    ]);
    expect(requested).toEqual(['a', 'b', 'c']);
  });

  it('skips a byte order mark and counts its bytes', () => {
    const { children, ...rest } = scan([Uint8Array.of(0xef), Uint8Array.of(0xbb, 0xbf), encode('[1]')]);
    expect(children).toEqual([{ key: undefined, index: 0, start: 4, end: 5, bytes: encode('1') }]);
    expect(rest).toEqual({ container: '[', ...finished });
  });

  it.each([
    [[0xef, 0x7b, 0x7d], 1],
    [[0xef, 0xbb, 0x5b, 0x5d], 2],
    [[0x20, 0xbb, 0xbf, 0x5b, 0x5d], 1],
    [[0xbb, 0xbf, 0x5b, 0x5d], 0],
    [[0xef, 0x20, 0xbf, 0x5b, 0x5d], 2],
    [[0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x5b, 0x5d], 3],
  ])('does not treat the bytes %j as a byte order mark', (bytes, offset) => {
    const { container, fault } = scan([Uint8Array.from(bytes)]);
    expect(container).toBeUndefined();
    expect(fault?.offset).toBe(offset);
  });

  it.each([
    ['', undefined, 0],
    ['  ', undefined, 0],
    ['[', undefined, 0],
    ['{"a"', undefined, 0],
    ['{"a":', undefined, 0],
    ['{"a":1,', undefined, 1],
    ['{"a":1,"b', undefined, 1],
    ['{"a":1,"b":[{"c":', { key: 'b', index: 1, start: 11 }, 1],
    ['[1,"ab', { key: undefined, index: 1, start: 3 }, 1],
    ['[1, 23', { key: undefined, index: 1, start: 4 }, 1],
    ['[1, 23 ', undefined, 2],
    ['["a"', undefined, 1],
  ])('detects that %j is cut off, and in which child', (text, unfinished, count) => {
    const result = scan([encode(text)]);
    expect(result).toMatchObject({ complete: false, fault: undefined });
    expect(result.unfinished).toEqual(unfinished);
    expect(result.children).toHaveLength(count);
  });

  it.each([
    ['1', 0, 'expected an object or an array', 0],
    [' "a"', 1, 'expected an object or an array', 0],
    ['[1 2]', 3, 'expected "," or "]"', 1],
    ['["a""b"]', 4, 'expected "," or "]"', 1],
    ['[1}', 2, 'expected "," or "]"', 1],
    ['{"a":1 "b":2}', 7, 'expected "," or "}"', 1],
    ['[1,]', 3, 'a trailing comma', 1],
    ['{"a":1,}', 7, 'a trailing comma', 1],
    ['[,1]', 1, 'expected a value', 0],
    ['[1,,2]', 3, 'expected a value', 1],
    ['[:]', 1, 'expected a value', 0],
    ['{"a":}', 5, 'expected a value', 0],
    ['{"a":,"b":1}', 5, 'expected a value', 0],
    ['{"a"::1}', 5, 'expected a value', 0],
    ['{"a" 1}', 5, 'expected ":"', 0],
    ['{a:1}', 1, 'expected a key in quotes', 0],
    ['{1:2}', 1, 'expected a key in quotes', 0],
    ['{]', 1, 'expected a key in quotes', 0],
    ['{"a\\x":1}', 1, 'a key that is not a JSON string', 0],
  ])('stops at a syntax error between the children of %j', (text, offset, what, count) => {
    const result = scan([encode(text)]);
    expect(result.fault).toEqual({ offset, what });
    expect(result).toMatchObject({ complete: false, unfinished: undefined });
    expect(result.children).toHaveLength(count);
  });

  it('stops at a key that is not UTF-8', () => {
    const { fault } = scan([Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)]);
    expect(fault).toEqual({ offset: 1, what: 'a key that is not a JSON string' });
  });

  it('does not report a document as complete if something follows it', () => {
    const result = scanText('[1] [2]');
    expect(result.children).toEqual([[0, '1']]);
    expect(result.fault).toEqual({ offset: 4, what: 'text after the end of the document' });
    expect(result).toMatchObject({ complete: false, unfinished: undefined });
  });

  it('returns no more children after a fault', () => {
    const scanner = new ChildScanner();
    scanner.push(encode('[1 2'));
    expect(scanner.push(encode(', 3]'))).toEqual([]);
    expect(scanner.fault?.offset).toBe(3);
  });

  it.each([
    ['[tru, 2]', ['tru', '2']],
    ['[01, 2]', ['01', '2']],
    ['[[1}, 2]', ['[1}', '2']],
    ['[{"a" 1,,}, 2]', ['{"a" 1,,}', '2']],
    ['["\\x", 2]', ['"\\x"', '2']],
    ['["\n", 2]', ['"\n"', '2']],
    ['[1:5, 2]', ['1:5', '2']],
    ['{"a":{,},"b":nul,"c":2}', ['{,}', 'nul', '2']],
  ])('returns the children after a malformed one in %j', (text, texts) => {
    const { children, ...rest } = scanText(text);
    expect(children.map(([, child]) => child)).toEqual(texts);
    expect(rest).toMatchObject(finished);
  });

  it('returns a child that is not UTF-8 unchanged', () => {
    const bad = Uint8Array.of(0x22, 0xff, 0x22);
    const { children } = scan([encode('['), bad, encode(',2]')]);
    expect(children.map(({ bytes }) => bytes)).toEqual([bad, encode('2')]);
  });

  it('returns the same children as JSON.parse, with exact positions, for any object and array', () => {
    fc.assert(
      fc.property(fc.oneof(objectText, arrayText), cuts, (text, places) => {
        const input = encode(text);
        const { children, ...rest } = scan(chunksOf(input, places));
        expect(rest).toMatchObject(finished);
        const parsed: unknown = JSON.parse(Buffer.from(input).toString('utf8'));
        const values = children.map(({ bytes }) => JSON.parse(decode(bytes) ?? ''));
        if (Array.isArray(parsed)) expect(values).toEqual(parsed);
        else expect(Object.fromEntries(children.map(({ key }, index) => [key, values[index]]))).toEqual(parsed);
        for (const [index, child] of children.entries()) {
          expect(child.index).toBe(index);
          expect(decode(child.bytes)).toBe(decode(input.slice(child.start, child.end))?.trim());
        }
      }),
    );
  });

  it('returns the same result for any bytes in any chunking', () => {
    const input = fc.oneof(
      almostJsonText.map((text) => `[${text},${text}]`),
      almostJsonText.map((text) => `{"a":${text},"b":${text}}`),
      almostJsonText,
      fc.stringMatching(/^[[{][[\]{},:"\\ a1]{0,12}$/),
    );
    fc.assert(
      fc.property(fc.oneof(input.map(encode), fc.uint8Array({ maxLength: 12 })), cuts, (bytes, places) => {
        expect(scan(chunksOf(bytes, places))).toEqual(scan([bytes]));
        expect(scan(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(scan([bytes]));
      }),
    );
  });

  it('returns the same positions whether bytes are selected or not', () => {
    fc.assert(
      fc.property(fc.oneof(objectText, arrayText), cuts, (text, places) => {
        const chunks = chunksOf(encode(text), places);
        const without = (child: JsonChild): JsonChild => ({ ...child, bytes: undefined });
        expect(scan(chunks, { wants: () => false }).children).toEqual(scan(chunks).children.map(without));
      }),
    );
  });

  it.each(deepTexts)('skips 100,000 levels of $of', ({ text }) => {
    const { children, ...rest } = scan([encode(`{"deep":${text},"after":1}`)]);
    expect(children.map(({ key, bytes }) => [key, bytes?.length])).toEqual([
      ['deep', text.length],
      ['after', 1],
    ]);
    expect(rest).toMatchObject(finished);
  });
});
