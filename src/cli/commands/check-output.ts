import type { Context } from '../context.ts';
import { type Output, oneLine } from '../output.ts';
import { type CheckFinding, findingLine } from './check-finding.ts';
import { countOf } from './counting.ts';
import type { SkippedFile } from './many-sessions.ts';
import { inColour, type TableStyle, tableStyle } from './text-table.ts';

/** What `check` comes to. */
export interface CheckSummary {
  readonly sessions: number;
  readonly byGroup: ReadonlyMap<CheckFinding['group'], number>;
  readonly skipped: readonly SkippedFile[];
  /** How many parts of the sessions could not be taken. */
  readonly problems: number;
}

/** Prints findings as they come. */
export interface CheckOutput {
  tell(finding: CheckFinding, file?: string): Promise<void>;
  /** No more findings come from this file. */
  endFile(file: string): Promise<void>;
  end(summary: CheckSummary): Promise<void>;
}

export function checkOutput(asJson: boolean, { output }: Context): CheckOutput {
  return asJson ? jsonOutput(output) : new TextOutput(output);
}

/** A line of JSON each. */
function jsonOutput(output: Output): CheckOutput {
  return {
    async tell({ code, group, severity, message, sequences, after = null, spec = null }, file) {
      const finding = { file: file ?? null, code, group, severity, message, messages: sequences, after, spec };
      await output.line(JSON.stringify(finding));
    },
    async endFile() {},
    async end({ sessions, byGroup, skipped, problems }) {
      const summary = {
        sessions,
        findings: totalOf(byGroup),
        by_group: Object.fromEntries(byGroup),
        skipped,
        problems,
      };
      await output.line(JSON.stringify({ summary }));
    },
  };
}

/** So many of one code are printed for a file; of a server that writes to its stdout there may be thousands. */
const MOST_OF_A_CODE = 20;

const COLOURS = { error: 'red', warning: 'yellow', info: 'grey' } as const;

/** A line for eyes each, and for `grep`. */
class TextOutput implements CheckOutput {
  readonly #output: Output;
  readonly #style: TableStyle;
  readonly #byCode = new Map<string, number>();

  constructor(output: Output) {
    this.#output = output;
    this.#style = tableStyle(output);
  }

  async tell(finding: CheckFinding, file?: string): Promise<void> {
    const count = (this.#byCode.get(finding.code) ?? 0) + 1;
    this.#byCode.set(finding.code, count);
    if (count > MOST_OF_A_CODE) return;
    const line = inColour(findingLine(finding), COLOURS[finding.severity], this.#style);
    await this.#output.line(file === undefined ? line : `${oneLine(file)}: ${line}`);
  }

  async endFile(file: string): Promise<void> {
    for (const [code, count] of this.#byCode) {
      const more = count - MOST_OF_A_CODE;
      if (more > 0) await this.#output.line(`${oneLine(file)}: … and ${more} more ${code}`);
    }
    this.#byCode.clear();
  }

  async end({ sessions, byGroup, skipped }: CheckSummary): Promise<void> {
    // Why nothing was looked at has been told.
    if (sessions === 0) return;
    const where = countOf(sessions, 'session');
    const unread = skipped.length === 0 ? '' : `; ${skipped.length} could not be read`;
    const groups = [...byGroup].map(([group, count]) => `${count} ${group}`).join(', ');
    const total = totalOf(byGroup);
    this.#output.note(
      `${total === 0 ? `Nothing found in ${where}` : `${countOf(total, 'finding')} in ${where}: ${groups}`}${unread}`,
    );
  }
}

function totalOf(byGroup: ReadonlyMap<string, number>): number {
  return [...byGroup.values()].reduce((sum, count) => sum + count, 0);
}
