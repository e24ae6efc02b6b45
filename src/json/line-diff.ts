import { diffArrays } from 'diff/lib/diff/array.js';

/** One line of a diff between two texts: in both, or in one of them. */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Finding more differences than this would take noticeably long. */
const MAX_EDITS = 1000;

/** The line diff between two texts. Texts with too many differences have no line in common in it. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS });
  if (changes === undefined) return [...marked('-', before), ...marked('+', after)];
  return changes.flatMap(({ value, added, removed }) => marked(added ? '+' : removed ? '-' : ' ', value));
}

/** Only the changed lines with `context` lines around them; `undefined` marks omitted lines. */
export function withContext(lines: readonly DiffLine[], context: number): (DiffLine | undefined)[] {
  const isNear = lines.map(() => false);
  for (const [index, { mark }] of lines.entries()) {
    if (mark !== ' ') isNear.fill(true, Math.max(0, index - context), index + context + 1);
  }
  const shown: (DiffLine | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear[index]) shown.push(line);
    else if (shown.length === 0 || shown.at(-1) !== undefined) shown.push(undefined);
  }
  return shown;
}

function marked(mark: DiffLine['mark'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ mark, text }));
}
