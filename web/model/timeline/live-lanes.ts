import { traceTexts } from '../../../src/formats/trace/entry-block.ts';
import { TraceEntryReader } from '../../../src/formats/trace/entry-reader.ts';
import { footerFrom, headerFrom } from '../../../src/formats/trace/trace-header.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { type SessionHeader, unnamedHeader } from '../../../src/model/session.ts';
import { blobSpool } from '../blob-spool.ts';
import { Lane } from './lane.ts';
import type { Timeline } from './timeline.ts';

/** The facts about a running session when the page first learns of it. */
export interface LiveBeginning {
  readonly id: string;
  readonly label: string;
  readonly startedAtMs: number;
  /** The first line of its trace. */
  readonly header: string | undefined;
}

/** How a session ended: with its last line, or lost for this reason. */
export interface LaneEnding {
  readonly line?: string | undefined;
  readonly why?: string | undefined;
}

/** The engine functions that growing lanes need. */
export interface LiveDeps {
  readonly timeline: Timeline;
  addLane(lane: Lane): void;
  /** Called when lanes have grown; `isOther` means that earlier entries may have changed too. */
  changed(isOther: boolean): void;
}

interface LiveLane {
  readonly lane: Lane;
  readonly reader: TraceEntryReader;
  lines: number;
}

/** The minimum time between reports to the page, whatever the traffic. */
const TELL_AFTER_MS = 80;

/** The lanes of running sessions: converts trace lines to entries as they arrive. */
export class LiveLanes {
  readonly #deps: LiveDeps;
  readonly #lanes = new Map<string, LiveLane>();
  /** Changes that arrived while the page is paused. */
  #waiting: (() => void)[] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOther = false;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
  }

  /** Adds a lane for a session, or continues the lane of a known one. */
  begin(beginning: LiveBeginning): void {
    this.#then(() => {
      const { lane } = this.#find(beginning.id) ?? this.#add(beginning);
      lane.state = 'live';
      lane.fault = undefined;
      this.#changed(false);
    });
  }

  add(id: string, lines: readonly string[]): void {
    this.#then(() => {
      const live = this.#find(id);
      if (live === undefined) return;
      const entries: Entry[] = [];
      for (const text of lines) live.reader.take({ text, ended: true, number: ++live.lines }, entries);
      const { changed, from } = live.lane.log.add(entries);
      this.#changed(changed.some((place) => place < from));
    });
  }

  end(id: string, { line, why }: LaneEnding): void {
    this.#then(() => {
      const live = this.#find(id);
      if (live === undefined) return;
      const { lane, reader } = live;
      const end = line === undefined ? undefined : ObjectView.of(line);
      lane.footer = end && footerFrom(end);
      lane.log.add(reader.finish(lane.footer));
      if (why === undefined) lane.log.end();
      lane.state = why === undefined ? 'read' : 'lost';
      lane.fault = why;
      this.#changed(true);
    });
  }

  /** Pauses all lanes, or resumes them and applies the changes that arrived meanwhile. */
  pause(isPaused: boolean): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = isPaused ? waiting : undefined;
    if (!isPaused) for (const work of waiting) work();
  }

  #add(beginning: LiveBeginning): LiveLane {
    const header = headerOf(beginning);
    const lane = new Lane(this.#deps.timeline.lanes.length, undefined);
    lane.begin({ format: 'trace', header, footer: undefined });
    lane.log.texts = traceTexts(header, undefined, blobSpool());
    lane.served = beginning.id;
    const live = { lane, reader: new TraceEntryReader(header, (problem) => lane.noteProblem(problem)), lines: 0 };
    this.#lanes.set(beginning.id, live);
    this.#deps.addLane(lane);
    return live;
  }

  #then(work: () => void): void {
    if (this.#waiting === undefined) work();
    else this.#waiting.push(work);
  }

  /** Undefined for a lane that was closed, which must not grow any more. */
  #find(id: string): LiveLane | undefined {
    const live = this.#lanes.get(id);
    if (live === undefined || this.#deps.timeline.lanes[live.lane.index] === live.lane) return live;
    this.#lanes.delete(id);
    return undefined;
  }

  #changed(isOther: boolean): void {
    this.#isOther ||= isOther;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const wasOther = this.#isOther;
      this.#isOther = false;
      this.#deps.changed(wasOther);
    }, TELL_AFTER_MS);
  }
}

function headerOf({ id, label, startedAtMs, header }: LiveBeginning): SessionHeader {
  const first = header === undefined ? undefined : ObjectView.of(header);
  if (first?.string('type') === 'meta') return headerFrom(first);
  return { ...unnamedHeader(id), label, startedAtMs };
}
