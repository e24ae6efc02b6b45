import type { FilterWord } from '../model/filter-words.ts';

/** The word at the caret, and its possible completions. */
export interface FilterCompletion {
  /** The start of the text that a suggestion replaces. */
  readonly start: number;
  readonly end: number;
  readonly options: readonly FilterWord[];
}

const MAX_OPTIONS = 12;

/** Completions for the word before the caret: terms that start with it first, then terms that contain it. */
export function completionAt(text: string, caret: number, words: readonly FilterWord[]): FilterCompletion {
  const start = caret - (/[^\s()]*$/.exec(text.slice(0, caret))?.[0].replace(/^-/, '').length ?? 0);
  const end = caret + (/^[^\s()]*/.exec(text.slice(caret))?.[0].length ?? 0);
  const typed = text.slice(start, caret).toLowerCase();
  const begin = words.filter(({ term }) => term.toLowerCase().startsWith(typed));
  const hold = typed === '' ? [] : words.filter(({ term }) => term.toLowerCase().indexOf(typed) > 0);
  const options = [...begin, ...hold].filter(({ term }) => term !== text.slice(start, end)).slice(0, MAX_OPTIONS);
  return { start, end, options };
}

/** The text with a suggestion inserted, and the new caret position. */
export function complete(
  text: string,
  { start, end }: FilterCompletion,
  term: string,
): { text: string; caret: number } {
  const after = text.slice(end);
  const space = after.startsWith(' ') ? '' : ' ';
  return { text: `${text.slice(0, start)}${term}${space}${after}`, caret: start + term.length + 1 };
}

/** Whether a filter contains exactly this term. */
export function hasTerm(filter: string, term: string): boolean {
  return ` ${filter.trim()} `.includes(` ${term} `);
}

/** Adds a term to a filter, or removes it if present. */
export function toggleTerm(filter: string, term: string): string {
  const text = filter.trim();
  return (hasTerm(text, term) ? ` ${text} `.replace(` ${term} `, ' ') : `${text} ${term}`).trim();
}

/** A piece of a filter in one color. */
export interface FilterPaint {
  readonly at: number;
  readonly text: string;
  readonly kind: 'key' | 'word' | 'operator' | 'quoted';
}

/** Splits a filter into pieces of one color each. */
export function paintFilter(text: string): readonly FilterPaint[] {
  const pieces: FilterPaint[] = [];
  const pattern = /([a-z]+:)|("(?:[^"\\]|\\.)*"?)|\b(or|and|not)\b(?=[\s()]|$)|([\s()]+|-)|([^\s()"]+)/giy;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [piece, key, quoted, operator] = found;
    pieces.push({
      at: found.index,
      text: piece,
      kind: key ? 'key' : quoted ? 'quoted' : operator ? 'operator' : 'word',
    });
  }
  return pieces;
}
