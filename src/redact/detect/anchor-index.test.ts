import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnchorIndex } from './anchor-index.ts';
import { DETECTORS } from './detectors.ts';

const index = new AnchorIndex(DETECTORS);

function placesInText(text: string): string[] {
  const places: string[] = [];
  index.some(text, ({ kind }, at) => {
    places.push(`${kind} at ${at}`);
    return false;
  });
  return places;
}

function placesInBytes(bytes: Uint8Array, start: number, end: number): string[] {
  const places: string[] = [];
  index.someInBytes(bytes, start, end, ({ kind }, at) => {
    places.push(`${kind} at ${at - start}`);
    return false;
  });
  return places;
}

const part = fc.oneof(
  fc.constantFrom('ghp_', 'sk-ant-', 'AKIA', 'Bearer ', '"headers"', 'x-api-key', '://', '\\u0041'),
  fc.string({ maxLength: 5, unit: 'grapheme-ascii' }),
);
const asciiText = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));

it('finds the same places in a text and in its bytes', () => {
  fc.assert(
    fc.property(asciiText, (text) => {
      const bytes = new TextEncoder().encode(`ab${text}cd`);
      expect(placesInBytes(bytes, 2, bytes.length - 2)).toEqual(placesInText(text));
    }),
  );
});

it('finds an anchor at every offset of a text', () => {
  for (let before = 0; before < 8; before++) {
    expect(placesInText(`${' '.repeat(before)}ghp_ `)).toContain(`github-token at ${before}`);
  }
});

const longText = 'é'.repeat((1 << 14) + 10);

it('finds an anchor after characters of any length, in pieces of any length', () => {
  const anyText = fc.array(fc.oneof(part, fc.string({ unit: 'binary' }), fc.constantFrom('é', '→', '🙂', '\ud800')));
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 40 }), (parts, more) => {
      const before = `${longText.slice(more)}${parts.join('')}`;
      expect(placesInText(`${before}ghp_→`)).toContain(`github-token at ${before.length}`);
    }),
  );
});

it('finds an anchor that begins with the character before an item, also at the start of a text', () => {
  const item = { kind: 'x', anchors: ['["\x80-\xbf]abc'], lead: -1 };
  for (const before of ['', '"', 'é', 'e']) {
    const places: number[] = [];
    new AnchorIndex([item]).some(`${before}abc`, (_, at) => {
      places.push(at);
      return false;
    });
    expect(places).toEqual(before === 'e' ? [] : [before.length]);
  }
});

it('finds the items of another index and its own', () => {
  const base = new AnchorIndex(DETECTORS);
  const many = Array.from({ length: 300 }, (_, n) => ({ kind: `own ${n}`, anchors: [`~${100 + n}`] }));
  const both = new AnchorIndex<{ readonly kind: string; readonly anchors: readonly string[] }>(many, base);
  const kinds: string[] = [];
  const collect = ({ kind }: { readonly kind: string }): boolean => kinds.push(kind) < 0;
  both.some('~100 ghp_ ~399', collect);
  expect(kinds).toEqual(['own 0', 'github-token', 'own 299']);
  kinds.length = 0;
  base.some('~100 ghp_ ~399', collect);
  expect(kinds).toEqual(['github-token']);
});

it('searches another text within a search', () => {
  const places: string[] = [];
  index.some('ghp_ ghp_', ({ kind }, at) => {
    places.push(`${kind} at ${at}: ${placesInText('xx AKIA').join()}`);
    return false;
  });
  expect(places).toEqual(['github-token at 0', 'github-token at 5'].map((place) => `${place}: aws-access-key-id at 3`));
});

it('refuses an anchor that does not have four characters', () => {
  expect(() => new AnchorIndex([{ anchors: ['abc'] }])).toThrow(RangeError);
});
