import { countOf } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { OutputPart } from '../../command-run.ts';
import type { CommandEnvironment, ResultTerminal } from '../../context.ts';
import type { SkippedFile } from '../shared/many-sessions.ts';
import { inColour, type TableStyle, tableStyle } from '../shared/text-style.ts';
import { type CheckFinding, findingLine } from './check-finding.ts';

/** The totals of a `check` run. */
export interface CheckSummary {
  readonly sessions: number;
  readonly byGroup: ReadonlyMap<CheckFinding['group'], number>;
  readonly skipped: readonly SkippedFile[];
  readonly damaged: readonly SkippedFile[];
  /** The number of parts of sessions that could not be read. */
  readonly problems: number;
}

/** Formats findings as they are found. */
export interface CheckOutput {
  finding(finding: CheckFinding, file?: string): Iterable<OutputPart>;
  /** Called after the last finding of a file. */
  endOfFile(file: string): Iterable<OutputPart>;
  end(summary: CheckSummary): Iterable<OutputPart>;
}

export function checkOutput(asJson: boolean, { terminal }: CommandEnvironment): CheckOutput {
  return asJson ? JSON_OUTPUT : new TextOutput(terminal);
}

/** One line of JSON per finding. */
const JSON_OUTPUT: CheckOutput = {
  *finding({ code, group, severity, message, sequences, after = null, spec = null }, file) {
    const finding = { file: file ?? null, code, group, severity, message, messages: sequences, after, spec };
    yield `${JSON.stringify(finding)}\n`;
  },
  *endOfFile() {},
  *end({ sessions, byGroup, skipped, damaged, problems }) {
    const summary = {
      sessions,
      findings: totalOf(byGroup),
      by_group: Object.fromEntries(byGroup),
      skipped,
      damaged,
      problems,
    };
    yield `${JSON.stringify({ summary })}\n`;
  },
};

/** The number of findings printed per code and file. A server that writes to stdout may cause thousands. */
const MAX_OF_A_CODE = 20;

const COLOURS = { error: 'red', warning: 'yellow', info: 'grey' } as const;

/** One line per finding, for people and for `grep`. */
class TextOutput implements CheckOutput {
  readonly #style: TableStyle;
  readonly #byCode = new Map<string, number>();

  constructor(terminal: ResultTerminal) {
    this.#style = tableStyle(terminal);
  }

  *finding(finding: CheckFinding, file?: string): Generator<OutputPart> {
    const count = (this.#byCode.get(finding.code) ?? 0) + 1;
    this.#byCode.set(finding.code, count);
    if (count > MAX_OF_A_CODE) return;
    const line = inColour(findingLine(finding), COLOURS[finding.severity], this.#style);
    yield file === undefined ? `${line}\n` : `${oneLine(file)}: ${line}\n`;
  }

  *endOfFile(file: string): Generator<OutputPart> {
    for (const [code, count] of this.#byCode) {
      const more = count - MAX_OF_A_CODE;
      if (more > 0) yield `${oneLine(file)}: … and ${more} more ${code}\n`;
    }
    this.#byCode.clear();
  }

  *end({ sessions, byGroup, skipped, damaged }: CheckSummary): Generator<OutputPart> {
    // The reason why no session was checked has already been printed.
    if (sessions === 0) return;
    const where = countOf(sessions, 'session');
    const unread = skipped.length === 0 ? '' : `; ${countOf(skipped.length, 'file')} could not be read`;
    const incomplete = damaged.length === 0 ? '' : `; ${countOf(damaged.length, 'file')} could not be read completely`;
    const groups = [...byGroup].map(([group, count]) => `${count} ${group}`).join(', ');
    const total = totalOf(byGroup);
    const found = total === 0 ? `No findings in ${where}` : `${countOf(total, 'finding')} in ${where}: ${groups}`;
    yield { note: `${found}${unread}${incomplete}` };
  }
}

function totalOf(byGroup: ReadonlyMap<string, number>): number {
  return [...byGroup.values()].reduce((sum, count) => sum + count, 0);
}
