/** One line of a diff between two texts: in both, or in one of them. */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Comparing more pairs of lines than this would take noticeably long. */
const MAX_PAIRS = 1_000_000;

/** The line diff between two texts. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const max = Math.min(before.length, after.length) - head;
  while (tail < max && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return [
    ...marked(' ', before.slice(0, head)),
    ...changedLines(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...marked(' ', before.slice(before.length - tail)),
  ];
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

/** Uses the longest common subsequence, unless the texts are too long for it. */
function changedLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length * after.length > MAX_PAIRS) return [...marked('-', before), ...marked('+', after)];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i] ?? '' });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push({ mark: '-', text: before[i++] ?? '' });
    else lines.push({ mark: '+', text: after[j++] ?? '' });
  }
  return [...lines, ...marked('-', before.slice(i)), ...marked('+', after.slice(j))];
}
