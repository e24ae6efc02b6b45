import type { Call, CallMark, CallStatus, OrphanAnswer } from '../../../analysis/calls/call.ts';
import { failureOf } from '../../../analysis/calls/call-failure.ts';
import { marksOf, marksOfCall, serverOf } from '../../../analysis/calls/call-marks.ts';
import type { Direction } from '../../../model/entry.ts';
import { numberText } from '../../../model/message-number.ts';
import { callTitle, statusCounts } from '../../../present/call-words.ts';
import { cutEnd, fitted, widthOf } from '../../../present/columns.ts';
import { countOf, formatDuration } from '../../../present/figures.ts';
import { PRINTED_ARROWS } from '../../../present/glyphs.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { inColour, type TableStyle, type TextColor } from '../shared/text-style.ts';

/** A row of the listing, before the column widths are known. */
export interface CallTextRow {
  readonly sequence: number;
  readonly title: string;
  readonly status: CallStatus | 'orphan';
  readonly time: string;
  readonly notes: string;
}

/** The number of calls, or of the selected calls, by status. */
export interface CallCounts {
  calls: number;
  orphans: number;
  readonly byStatus: Record<CallStatus, number>;
}

const COLOURS: Readonly<Record<CallTextRow['status'], TextColor | undefined>> = {
  ok: undefined,
  error: 'red',
  pending: 'yellow',
  cancelled: 'yellow',
  late: 'yellow',
  stream: 'grey',
  orphan: 'yellow',
};

const STATUS_WIDTH = 'cancelled'.length;
const MIN_TIME_WIDTH = '1 min 1 s'.length;
const GAP = '  ';
/** Titles are cut to no less than this. Notes with less room than this move to the next line. */
const MIN_TITLE = 24;
const MIN_NOTES = 24;

/** Lays out calls in columns whose widths stay the same or grow from one group of rows to the next. */
export class CallTextTable {
  readonly #style: TableStyle;
  readonly #hasTimes: boolean;
  #titleWidth = 0;
  #timeWidth = MIN_TIME_WIDTH;

  constructor(style: TableStyle, hasTimes: boolean) {
    this.#style = style;
    this.#hasTimes = hasTimes;
  }

  row(call: Call): CallTextRow {
    const { request, status, method, name, direction, durationMs } = call;
    return {
      sequence: request.sequence,
      title: titleOf(request.sequence, direction, callTitle({ method, name })),
      status,
      time: this.#hasTimes && durationMs !== undefined ? formatDuration(durationMs) : '-',
      notes: notesOn(call, this.#hasTimes).map(oneLine).join(', '),
    };
  }

  orphanRow({ message, why }: OrphanAnswer): CallTextRow {
    const { sequence, direction } = message;
    return {
      sequence,
      title: titleOf(sequence, direction, '(response)'),
      status: 'orphan',
      time: '-',
      notes: [...marksOf(message).map(markText), WHY[why]].join(', '),
    };
  }

  text(rows: readonly CallTextRow[]): string {
    for (const { title, time } of rows) {
      this.#titleWidth = Math.max(this.#titleWidth, widthOf(title));
      this.#timeWidth = Math.max(this.#timeWidth, time.length);
    }
    const others = GAP.length + STATUS_WIDTH + GAP.length + this.#timeWidth + GAP.length;
    const room = Math.max(MIN_TITLE, this.#style.width - others);
    const titleWidth = Math.min(this.#titleWidth, room);
    return rows.map((row) => this.#line(row, titleWidth, this.#style.width - others - titleWidth)).join('');
  }

  #line({ title, status, time, notes }: CallTextRow, titleWidth: number, notesRoom: number): string {
    const style = this.#style;
    const word = inColour(status.padEnd(STATUS_WIDTH), COLOURS[status], style);
    const line = `${GAP}${fitted(title, titleWidth)}${GAP}${word}${GAP}${time.padStart(this.#timeWidth)}`;
    if (notes === '') return `${line}\n`;
    const margin = GAP.repeat(4);
    const fits = widthOf(notes) + GAP.length <= notesRoom || notesRoom >= MIN_NOTES;
    const shown = cutEnd(notes, fits ? notesRoom - GAP.length : style.width - margin.length);
    return `${line}${fits ? GAP : `\n${margin}`}${inColour(shown, 'grey', style)}\n`;
  }
}

const WHY: Readonly<Record<OrphanAnswer['why'], string>> = {
  'unknown-id': 'no request has this id',
  'no-id': 'no id',
  'answered-before': 'second response to its request',
};

export function callsSummary({ calls, orphans, byStatus }: CallCounts): string {
  const reported = statusCounts(byStatus).map((part) => `, ${part}`);
  const strays = orphans === 0 ? '' : `, ${countOf(orphans, 'orphan')}`;
  return `${calls + orphans === 0 ? '' : '\n'}${countOf(calls, 'call')}${reported.join('')}${strays}\n`;
}

/** Notes about a call, most important first. */
function notesOn(call: Call, hasTimes: boolean): string[] {
  const { answer, rounds, humanMs, progress, logs, nested, cancelledBy, supersededBy, origin } = call;
  const failure = failureOf(call);
  const server = serverOf(call);
  const notes = [
    ...marksOfCall(call).map(markText),
    failure && `${failure.code ?? ''} ${failure.message ?? ''}`.trim(),
    call.status === 'error' && answer === undefined && 'rejected with an HTTP error',
    call.status === 'pending' && answer !== undefined && !answer.dropped && 'waiting for input',
    call.isProbe && 'version probe',
    cancelledBy !== undefined && `cancelled by ${numberText(cancelledBy)}`,
    supersededBy !== undefined && `id reused by ${numberText(supersededBy)}`,
    rounds.length > 0 && (rounds.length === 1 ? '1 retry' : `${rounds.length} retries`),
    humanMs > 0 && hasTimes && `waited ${formatDuration(humanMs)} for the user`,
    taskNote(call, hasTimes),
    origin !== undefined && `for ${numberText(origin)}`,
    nested.length > 0 && `server requests ${nested.map(numberText).join(' ')}`,
    progress.length > 0 && `${progress.length}× progress`,
    logs.length > 0 && countOf(logs.length, 'log line'),
    server !== undefined ? `server ${server}` : call.conversation > 0 && `conv=${call.conversation}`,
  ];
  return notes.filter((note) => typeof note === 'string' && note !== '') as string[];
}

/** The mark as in the listing of messages. */
function markText(mark: CallMark): string {
  return `[${mark.toUpperCase()}]`;
}

function taskNote({ task, taskOutcome }: Call, hasTimes: boolean): string | undefined {
  if (task === undefined) return undefined;
  if (taskOutcome === undefined) return `started task ${task}`;
  const after = hasTimes ? ` after ${formatDuration(taskOutcome.afterMs)}` : '';
  return `started task ${task}, ${taskOutcome.status}${after}`;
}

function titleOf(sequence: number, direction: Direction, what: string): string {
  return `${numberText(sequence)} ${PRINTED_ARROWS[direction]} ${oneLine(what)}`;
}
