import type { MockReport } from '../../../mock/mock-report.ts';
import { numberText } from '../../../model/message-number.ts';
import { oneLine } from '../../output.ts';
import { countOf } from '../shared/counting.ts';

/** So many of each are named. */
const MAX_NAMED = 20;

/** What is said at the end: what was answered, what nobody asked for, and what was missing. */
export function summaryLines({ answered, recorded, unused, missed, misses }: MockReport, name: string): string[] {
  const head = `Answered ${countOf(answered, 'request')} from ${name}; ${unused.length} of its ${recorded} not asked for, ${missed} not in it`;
  const leftOver = unused.map(({ sequence, method, name: about }) => {
    const what = about === undefined ? method : `${method} ${about}`;
    return `  not asked for: ${numberText(sequence)} ${what}`;
  });
  const lacking = misses.map(({ message, isForwarded }) => `  missed${isForwarded ? ' (forwarded)' : ''}: ${message}`);
  const lines = [head, ...shortened(leftOver, unused.length), ...shortened(lacking, missed)];
  return lines.map((line) => `mcpreel: ${oneLine(line)}`);
}

/** The first of these lines, and how many more there would be. */
function shortened(lines: readonly string[], count: number): string[] {
  const rest = count - MAX_NAMED;
  return rest <= 0 ? [...lines] : [...lines.slice(0, MAX_NAMED), `  … and ${rest} more`];
}
