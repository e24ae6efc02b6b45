// Finds the phrases of plain-words.json in prose and in Markdown documents.
import { readFileSync } from 'node:fs';

const { prose } = JSON.parse(readFileSync(new URL('plain-words.json', import.meta.url), 'utf8'));
// A phrase may be broken over two lines.
const phrases = prose.map(({ avoid, write }) => ({
  pattern: new RegExp(`\\b(?:${avoid.replaceAll(' ', '\\s+')})`, 'gi'),
  write,
}));

/** The phrases to avoid in a text: their positions, their words and what to write instead. */
export function phrasesIn(text) {
  return phrases.flatMap(({ pattern, write }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      at: index,
      found: found.replaceAll(/\s+/g, ' '),
      write,
    })),
  );
}

/** The same for Markdown. Code and block quotes show what programs print, so their words are not counted. */
export function phrasesInMarkdown(text) {
  const quoted = /^```.*?^```$|^>[^\n]*$|`[^`\n]+`/gms;
  return phrasesIn(text.replace(quoted, (quote) => quote.replaceAll(/[^\n]/g, ' ')));
}
