import type { DetectedSpan } from '../detect/detector.ts';

/** Longer runs are data, and longer lines are looked at in part. */
const MAX_RUN = 1 << 16;
const MAX_LINE = 1 << 14;
const MAX_BEFORE = 1 << 12;

/** The offset up to which encoded text has been looked at. */
interface EncodedProgress {
  end: number;
}

type Search = (text: string) => readonly DetectedSpan[];

/** A run of what URLs consist of. */
const RUN = /[\w%.~+*!'()&=?/:;@,#-]*/y;
const OF_RUN = /[\w%.~+*!'()&=?/:;@,#-]/;
const PERCENT_CODE = /%([0-9a-f]{2})/gi;

/** Finds secrets in text that is encoded for URLs, given an offset within it. */
export function secretsInPercentCodes(
  text: string,
  at: number,
  progress: EncodedProgress,
  find: Search,
): DetectedSpan[] {
  if (at < progress.end) return [];
  const first = Math.max(progress.end, at - MAX_BEFORE);
  let start = at;
  while (start > first && OF_RUN.test(text.charAt(start - 1))) start--;
  RUN.lastIndex = at;
  RUN.test(text);
  const end = Math.min(RUN.lastIndex, at + MAX_RUN);
  progress.end = end;
  return secretsInDecoded(
    text,
    start,
    end,
    PERCENT_CODE,
    ([, digits = '']) => String.fromCharCode(Number.parseInt(digits, 16)),
    find,
  );
}

const ENTITY = /&(quot|lt|gt|apos|amp|#39|#x27|#34|#x22);/g;
const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  lt: '<',
  gt: '>',
  apos: "'",
  amp: '&',
  '#39': "'",
  '#x27': "'",
  '#34': '"',
  '#x22': '"',
};

/** Finds secrets in lines that are escaped for HTML, given an offset within them. */
export function secretsInEntities(text: string, at: number, progress: EncodedProgress, find: Search): DetectedSpan[] {
  if (at < progress.end) return [];
  const from = Math.max(progress.end, at - MAX_BEFORE);
  const start = from + text.slice(from, at).lastIndexOf('\n') + 1;
  const following = text.slice(at, at + MAX_LINE);
  const lineBreak = following.indexOf('\n');
  const end = at + (lineBreak < 0 ? following.length : lineBreak);
  progress.end = end;
  return secretsInDecoded(text, start, end, ENTITY, ([, name = '']) => ENTITIES[name] ?? '', find);
}

/** Decodes a part of a text, and finds the secrets in the result at their offsets in the text. */
function secretsInDecoded(
  text: string,
  start: number,
  end: number,
  code: RegExp,
  decode: (match: RegExpExecArray) => string,
  find: Search,
): DetectedSpan[] {
  const part = text.slice(start, end);
  const parts: string[] = [];
  /** The offsets in the result and in the part after each code. */
  const places: [decoded: number, encoded: number][] = [[0, 0]];
  let length = 0;
  let last = 0;
  for (const match of part.matchAll(code)) {
    const plain = part.slice(last, match.index);
    parts.push(plain, decode(match as RegExpExecArray));
    last = match.index + match[0].length;
    length += plain.length + 1;
    places.push([length, last]);
  }
  if (last === 0) return [];
  parts.push(part.slice(last));
  const sourceOf = (offset: number): number => {
    let low = 0;
    for (let high = places.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((places[middle]?.[0] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const [decoded, encoded] = places[low] ?? [0, 0];
    return start + encoded + offset - decoded;
  };
  return find(parts.join('')).map((span) => ({ ...span, start: sourceOf(span.start), end: sourceOf(span.end) }));
}
