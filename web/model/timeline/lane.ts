import { isCutOff } from '../../../src/formats/cut-off.ts';
import type { ReadProblem, Source } from '../../../src/formats/format.ts';
import {
  type RecordedSession,
  type SessionFooter,
  type SessionHeader,
  unnamedHeader,
} from '../../../src/model/session.ts';
import { SessionLog } from '../../../src/present/session-log/session-log.ts';
import type { FileOrigin } from '../file-to-open.ts';

/** The state of a lane: being read, fully read, following a running session, or failed. */
export type LaneState = 'reading' | 'read' | 'live' | 'lost';

const MAX_PROBLEMS = 1000;
const BATCH = 2000;
/** About this many bytes of a lane's entries stay in memory; the others are read again when they are used. */
const MAX_IN_MEMORY = 1 << 24;

/** One of the sessions that the page shows. */
export class Lane {
  readonly index: number;
  readonly log: SessionLog = new SessionLog({ hasTimes: true, maxInMemory: MAX_IN_MEMORY });
  /** The file of the lane; absent for a running session. */
  readonly source: Source | undefined;
  /** The id of this recording in the program that serves the page, if there is one. */
  served: string | undefined;
  header: SessionHeader = unnamedHeader('');
  footer: SessionFooter | undefined;
  format = 'trace';
  /** Whether its times are real. For a file without times, they are only numbers assigned to messages. */
  hasTimes = true;
  infersDirections = false;
  state: LaneState = 'reading';
  /** Why reading failed. */
  fault: string | undefined;
  bytesRead = 0;
  problemCount = 0;
  /** Whether the file ends in the middle of an entry. */
  isCutOff = false;
  readonly problems: ReadProblem[] = [];

  constructor(index: number, source: Source | undefined) {
    this.index = index;
    this.source = source;
  }

  get size(): number {
    return this.source?.size ?? 0;
  }

  get entries(): SessionLog['entries'] {
    return this.log.entries;
  }

  begin(session: Omit<RecordedSession, 'batches'>, origin?: FileOrigin): void {
    this.header = session.header;
    this.footer = session.footer;
    this.format = origin?.format ?? session.format;
    this.hasTimes = !(origin?.numbersTimes ?? session.numbersTimes);
    this.infersDirections = origin?.infersDirections ?? session.infersDirections === true;
    this.log.label = session.header.label;
  }

  noteProblem(problem: ReadProblem): void {
    this.problemCount++;
    this.isCutOff ||= isCutOff(problem);
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }

  /** The entries read so far, as a session. */
  session(): RecordedSession {
    const { entries } = this;
    return {
      format: this.format,
      header: this.header,
      footer: this.footer,
      infersDirections: this.infersDirections,
      numbersTimes: !this.hasTimes,
      async *batches() {
        for (let from = 0; from < entries.length; from += BATCH) yield entries.slice(from, from + BATCH);
      },
    };
  }
}
