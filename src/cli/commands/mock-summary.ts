import type { MockReport } from '../../replay/mock-report.ts';
import { oneLine } from '../output.ts';
import { countOf } from './counting.ts';

/** So many of each are named. */
const MOST_NAMED = 20;

/** What is said at the end: what was answered, what nobody asked for, and what was missing. */
export function summaryLines({ answered, recorded, unused, misses }: MockReport, name: string): string[] {
  const head = `Answered ${countOf(answered, 'request')} from ${name}; ${unused.length} of its ${recorded} not asked for, ${misses.length} not in it`;
  const leftOver = unused.map(({ sequence, method, name: about }) => {
    const what = about === undefined ? method : `${method} ${about}`;
    return `  not asked for: #${String(sequence).padStart(3, '0')} ${what}`;
  });
  const missed = misses.map(({ message, isForwarded }) => `  missed${isForwarded ? ' (forwarded)' : ''}: ${message}`);
  return [head, ...shortened(leftOver), ...shortened(missed)].map((line) => `mcpreel: ${oneLine(line)}`);
}

function shortened(lines: readonly string[]): string[] {
  const rest = lines.length - MOST_NAMED;
  return rest <= 0 ? [...lines] : [...lines.slice(0, MOST_NAMED), `  … and ${rest} more`];
}
