import { kindOfName } from '../placeholder.ts';
import { type DetectedSpan, RANK } from './detector.ts';
import { findInHeader, isSecretHeader } from './header-values.ts';
import { isSecretName, plainName } from './key-names.ts';

/**
 * What has to go from each word of a command because of a name on the command line: the value of an option
 * (`--api-key K`, `--token=T`), of a variable (`API_KEY=K`) and of a header (`X-Api-Key: K`).
 */
export function findInCommand(words: readonly string[]): readonly (readonly DetectedSpan[])[] {
  return words.map((word, index) => {
    const assignment = /^(?:--?)?([A-Za-z][\w-]{0,63})=/.exec(word);
    if (assignment?.[1] !== undefined) return byName(assignment[1], word, assignment[0].length);
    const header = /^([A-Za-z][\w-]{0,63}): */.exec(word);
    if (header?.[1] !== undefined && isSecretHeader(header[1])) {
      const lead = header[0].length;
      return findInHeader(header[1], word.slice(lead)).map((found) => shifted(found, lead));
    }
    const option = /^--([A-Za-z][\w-]{0,63})$/.exec(words[index - 1] ?? '');
    return option?.[1] !== undefined && !word.startsWith('-') ? byName(option[1], word, 0) : [];
  });
}

function byName(name: string, word: string, start: number): readonly DetectedSpan[] {
  if (!isSecretName(plainName(name)) && !/[_-]token$/i.test(name)) return [];
  return start < word.length ? [{ start, end: word.length, kind: kindOfName(name), rank: RANK.context }] : [];
}

function shifted(finding: DetectedSpan, by: number): DetectedSpan {
  return { ...finding, start: finding.start + by, end: finding.end + by };
}
