import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  almostJsonText,
  anyString,
  arrayText,
  deepTexts,
  jsonText,
  objectText,
} from '../../test/support/sample-texts.ts';
import {
  decodeString,
  documentSpan,
  findFault,
  type JsonMember,
  scanElements,
  scanMembers,
  scanObject,
  scanString,
  scanValue,
  skipSpace,
  type TextSpan,
} from './scan.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findFault', () => {
  it.each([
    '0',
    '-0',
    '-0.0e-0',
    '1E+07',
    '1e400',
    '12345678901234567890',
    ' \t\r\n null \t\r\n ',
    '""',
    '"\u007f\u0080\u2028\u2029\ufeff\uffff"',
    '"\ud800"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\uABCD\\uabcd\\u0000"',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    '[]',
    '[ ]',
    '{}',
    '{\n}',
    '{"":{"":[[],{}]}}',
    '{"a":1,"a":2}',
  ])('finds no fault in %j', (text) => {
    expect(parses(text)).toBe(true);
    expect(findFault(text)).toBeUndefined();
  });

  it.each([
    ['', 0],
    [' ', 1],
    ['\ufeff1', 0],
    ['\ufeff{}', 0],
    ['\u00a01', 0],
    ['1\u00a0', 1],
    ['\0', 0],
    ['1\0', 1],
    ['01', 1],
    ['-01', 2],
    ['00', 1],
    ['1.', 2],
    ['1.e5', 2],
    ['.5', 0],
    ['+1', 0],
    ['-', 1],
    ['--1', 1],
    ['-a', 1],
    ['1e', 2],
    ['1e+', 3],
    ['1e5.5', 3],
    ['1.2.3', 3],
    ['0x10', 1],
    ['1_000', 1],
    ['NaN', 0],
    ['Infinity', 0],
    ['-Infinity', 1],
    ['undefined', 0],
    ['True', 0],
    ['tru', 3],
    ['trux', 3],
    ['truee', 4],
    ['nul', 3],
    ['nulL', 3],
    ['falsy', 4],
    ['"', 1],
    ['"a', 2],
    ["'a'", 0],
    ['"\n"', 1],
    ['"\t"', 1],
    ['"a\0"', 2],
    ['"\u001f"', 1],
    ['"\\', 2],
    ['"\\"', 3],
    ['"\\x41"', 2],
    ['"\\\'"', 2],
    ['"\\U0041"', 2],
    ['"\\u"', 3],
    ['"\\u12"', 5],
    ['"\\u12g4"', 5],
    ['"\\u004', 6],
    ['"\\u+041"', 3],
    ['"\\u 041"', 3],
    ['[', 1],
    [']', 0],
    ['[1,]', 3],
    ['[,1]', 1],
    ['[1,,2]', 3],
    ['[1 2]', 3],
    ['[1}', 2],
    ['[1:2]', 2],
    ['{', 1],
    ['{]', 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['{,}', 1],
    ['{"a" 1}', 5],
    ['{"a"::1}', 5],
    ['{"a":1 "b":2}', 7],
    ['{a:1}', 1],
    ['{1:1}', 1],
    ['{"a":1]', 6],
    ['{"a":1}}', 7],
    ['[1]]', 3],
    ['1 2', 2],
    ['{} {}', 3],
    ['[1] // comment', 4],
    ['/**/1', 0],
  ])('finds the fault of %j at %i', (text, offset) => {
    expect(parses(text)).toBe(false);
    expect(findFault(text)).toBe(offset);
  });

  it('finds no fault in any JSON text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        JSON.parse(text);
        expect(findFault(text)).toBeUndefined();
      }),
    );
  });

  it('accepts exactly what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.oneof(almostJsonText, fc.string(), anyString), (text) => {
        expect(findFault(text) === undefined).toBe(parses(text));
      }),
    );
  });

  it('returns the offset of the first character that makes the text invalid', () => {
    fc.assert(
      fc.property(almostJsonText, (text) => {
        const fault = findFault(text);
        if (fault === undefined) return;
        expect(fault).toBeLessThanOrEqual(text.length);
        expect([undefined, fault]).toContain(findFault(text.slice(0, fault)));
        expect(findFault(text.slice(0, fault + 1))).toBe(fault);
      }),
    );
  });

  it('reports the fault of a truncated text at its end', () => {
    fc.assert(
      fc.property(fc.oneof(objectText, arrayText), fc.nat(), (text, where) => {
        const cut = text.slice(0, where % text.trimEnd().length);
        expect(findFault(cut)).toBe(cut.length);
      }),
    );
  });

  it.each(deepTexts)(
    'follows 100,000 levels of $of',
    ({ text }) => {
      expect(findFault(text)).toBeUndefined();
      expect(findFault(text.slice(0, -1))).toBe(text.length - 1);
      expect(findFault(`${text}]`)).toBe(text.length);
    },
    60_000,
  );

  it('reads a string of millions of characters and escapes', () => {
    const text = `"${'a\\n\\u0041'.repeat(500_000)}${'b'.repeat(5_000_000)}"`;
    expect(findFault(text)).toBeUndefined();
    expect(findFault(text.slice(0, -1))).toBe(text.length - 1);
  }, 60_000);
});

describe('documentSpan', () => {
  it('returns the span of the value without the whitespace around it', () => {
    expect(documentSpan(' \n[1, 2]\t')).toEqual({ start: 2, end: 8 });
    expect(documentSpan('-1.50')).toEqual({ start: 0, end: 5 });
  });

  it('returns the span of the trimmed text for any JSON text, and undefined for any other', () => {
    fc.assert(
      fc.property(fc.oneof(jsonText, almostJsonText), (text) => {
        const span = documentSpan(text);
        expect(span === undefined).toBe(findFault(text) !== undefined);
        if (span !== undefined)
          expect(text.slice(span.start, span.end)).toBe(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''));
      }),
    );
  });

  it.each(deepTexts)(
    'spans 100,000 levels of $of',
    ({ text }) => {
      expect(documentSpan(` ${text} `)).toEqual({ start: 1, end: text.length + 1 });
    },
    60_000,
  );
});

describe('scanValue', () => {
  it('stops at the end of the value, regardless of the text after it', () => {
    expect(scanValue('{"a":[1]}garbage', 0)).toBe(9);
    expect(scanValue('x"a"x', 1)).toBe(4);
    expect(scanValue('12,', 0)).toBe(2);
    expect(scanValue('nullnull', 4)).toBe(8);
  });

  it('reports a fault as the complement of its offset', () => {
    expect(scanValue('{"a":[1}', 0)).toBe(~7);
    expect(scanValue('', 0)).toBe(~0);
  });
});

describe('scanString', () => {
  it('stops after the closing quote and not after an escaped one', () => {
    expect(scanString('"a\\"b\\\\"c"', 0)).toBe(8);
    expect(scanString('"\\u0022"', 0)).toBe(8);
  });

  it('reports a fault as the complement of its offset', () => {
    expect(scanString('["a\nb"]', 1)).toBe(~3);
    expect(scanString('"abc', 0)).toBe(~4);
  });
});

describe('skipSpace', () => {
  it('skips the four JSON whitespace characters and stops at the end', () => {
    expect(skipSpace(' \t\r\n\v', 0)).toBe(4);
    expect(skipSpace('  ', 0)).toBe(2);
    expect(skipSpace('', 0)).toBe(0);
    expect(skipSpace('\u00a0', 0)).toBe(0);
    expect(skipSpace('\ufeff', 0)).toBe(0);
  });
});

describe('scanObject', () => {
  it('scans nested values in one pass if the callback scans them', () => {
    const text = ' {"a" : {"b" : 1 , "c":[2]}, "d":3}';
    const paths: string[] = [];
    const end = scanObject(text, 1, (outer, start, keyStart) => {
      paths.push(`${outer}@${keyStart}`);
      if (outer !== 'a') return scanValue(text, start);
      return scanObject(text, start, (inner, innerStart) => {
        paths.push(`${outer}.${inner}`);
        return scanValue(text, innerStart);
      });
    });
    expect(paths).toEqual(['a@2', 'a.b', 'a.c', 'd@29']);
    expect(end).toBe(text.length);
  });

  it('stops at the fault that the callback reports', () => {
    expect(scanObject('{"a":1,"b":2}', 0, (key, start) => (key === 'b' ? ~start : start + 1))).toBe(~11);
  });

  it('reports the fault of the object itself', () => {
    expect(scanObject('{"a":1;}', 0, (_, start) => start + 1)).toBe(~6);
    expect(scanObject('[]', 0, () => 0)).toBe(~0);
  });
});

function membersOf(text: string): { members: JsonMember[]; end: number } {
  const members: JsonMember[] = [];
  const end = scanMembers(text, skipSpace(text, 0), (member) => members.push(member));
  return { members, end };
}

describe('scanMembers', () => {
  it('returns every member in order, including duplicates, with decoded keys', () => {
    const text = '{"a" : 1,\n"\\u0061":[2] , "__proto__":{}}';
    const { members, end } = membersOf(text);
    expect(members).toEqual([
      { key: 'a', keyStart: 1, start: 7, end: 8 },
      { key: 'a', keyStart: 10, start: 19, end: 22 },
      { key: '__proto__', keyStart: 25, start: 37, end: 39 },
    ]);
    expect(end).toBe(text.length);
  });

  it('returns the members before a fault, and then the offset of the fault', () => {
    const { members, end } = membersOf('{"a":1,"b":2,"c":tru}');
    expect(members.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(end).toBe(~20);
  });

  it('rejects anything but an object', () => {
    expect(membersOf('[1]')).toEqual({ members: [], end: ~0 });
    expect(membersOf(' ')).toEqual({ members: [], end: ~1 });
  });

  it('returns spans that contain exactly the keys and values of any object', () => {
    fc.assert(
      fc.property(objectText, (text) => {
        const { members, end } = membersOf(text);
        expect(skipSpace(text, end)).toBe(text.length);
        const built = members.map(({ key, start, end }): [string, unknown] => [
          key,
          JSON.parse(text.slice(start, end)),
        ]);
        expect(Object.fromEntries(built)).toEqual(JSON.parse(text));
        for (const { key, keyStart, start } of members) {
          expect(JSON.parse(text.slice(keyStart, text.lastIndexOf(':', start)))).toBe(key);
        }
      }),
    );
  });

  it.each(deepTexts)(
    'skips 100,000 levels of $of in a value',
    ({ text }) => {
      const { members, end } = membersOf(`{"deep":${text},"after":1}`);
      expect(members.map(({ key }) => key)).toEqual(['deep', 'after']);
      expect(end).toBe(text.length + 19);
    },
    60_000,
  );
});

describe('scanElements', () => {
  const elementsOf = (text: string): { elements: string[]; end: number } => {
    const elements: TextSpan[] = [];
    const end = scanElements(text, skipSpace(text, 0), (element) => elements.push(element));
    return { elements: elements.map((span) => text.slice(span.start, span.end)), end };
  };

  it('returns the exact text of every element', () => {
    expect(elementsOf('[ 1.0 ,"a,]" ,\n[ ],{"b": null}]')).toEqual({
      elements: ['1.0', '"a,]"', '[ ]', '{"b": null}'],
      end: 31,
    });
    expect(elementsOf('[ ]')).toEqual({ elements: [], end: 3 });
  });

  it('returns the elements before a fault, and then the offset of the fault', () => {
    expect(elementsOf('[1,2,]')).toEqual({ elements: ['1', '2'], end: ~5 });
    expect(elementsOf('{}')).toEqual({ elements: [], end: ~0 });
  });

  it('returns spans that contain exactly the elements of any array', () => {
    fc.assert(
      fc.property(arrayText, (text) => {
        const { elements, end } = elementsOf(text);
        expect(skipSpace(text, end)).toBe(text.length);
        expect(elements.map((element) => JSON.parse(element))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(deepTexts)(
    'skips 100,000 levels of $of in an element',
    ({ text }) => {
      expect(elementsOf(`[${text}, 1]`).elements).toEqual([text, '1']);
    },
    60_000,
  );
});

describe('decodeString', () => {
  it('decodes escapes and keeps lone surrogates', () => {
    expect(decodeString('"plain"')).toBe('plain');
    expect(decodeString('"\\u0061\\n\\/\\ud83d\\ude00"')).toBe('a\n/😀');
    expect(decodeString('"\\ud800"')).toBe('\ud800');
  });
});
