import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are in it
import { phrasesIn, phrasesInMarkdown } from '../../scripts/plain-phrases.mjs';

describe('phrases to avoid', () => {
  it('finds a phrase that is broken over two lines, with its position', () => {
    expect(phrasesIn('If the disk is full, the session goes\n  on.')).toEqual([
      { at: 33, found: 'goes on', write: expect.stringContaining('continues') },
    ]);
  });

  it.each([
    ['a code block', '```\nwhoever asks\n```\n'],
    ['inline code', 'It prints `nobody gets it`.\n'],
    ['a block quote', '> nobody\n'],
  ])('ignores %s in Markdown, but not the prose after it', (_, quoted) => {
    expect(phrasesInMarkdown(quoted)).toEqual([]);
    const text = `${quoted}\nSomebody reads.\n`;
    expect(phrasesInMarkdown(text)).toMatchObject([{ at: text.indexOf('Somebody'), found: 'Somebody' }]);
  });

  it.each([
    'If there is none, the message waits.',
    'The response is sent in the exchange of its own request.',
    'Numbers are stored as they are.',
    'Store it on disk as it was sent.',
    'A message that does not match goes through.',
  ])('accepts plain English: %s', (sentence) => {
    expect(phrasesIn(sentence)).toEqual([]);
  });

  it.each([
    'The server wrote to stdout what is no message.',
    'The session has a socket of its own.',
    'Secrets that are known by their look are removed.',
    'It leaves the session as it was.',
    'The page says what is missing.',
    'Files are recognised by their content.',
  ])('finds private English: %s', (sentence) => {
    expect(phrasesIn(sentence)).not.toEqual([]);
  });
});
