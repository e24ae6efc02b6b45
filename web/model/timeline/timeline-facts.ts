import type { RowFacts } from '../row-facts.ts';
import type { Lane, LaneState } from './lane.ts';
import type { Timeline, TimelineGap } from './timeline.ts';

/** What the page knows of a lane without asking. */
export interface LaneFacts {
  readonly index: number;
  readonly label: string;
  readonly name: string;
  readonly transport: string;
  /** What it is called by whoever serves the page: that one can make its calls again. */
  readonly served: string | undefined;
  readonly format: string;
  readonly state: LaneState;
  readonly fault: string | undefined;
  readonly hasTimes: boolean;
  readonly infersDirections: boolean;
  readonly hasFooter: boolean;
  readonly messages: number;
  readonly entries: number;
  readonly errors: number;
  readonly problems: number;
  readonly bytesRead: number;
  readonly size: number;
}

/** What the page knows of all that it shows without asking. */
export interface TimelineFacts {
  readonly lanes: readonly LaneFacts[];
  readonly span: TimelineGap | undefined;
  readonly gaps: readonly TimelineGap[];
  /** Counts the changes, so that who asked before knows whether to ask again. */
  readonly version: number;
}

/** The rows of the timeline as far as they are known. */
export interface ShownFacts {
  /** Counts the changes of what is chosen and of what is there. */
  readonly version: number;
  /** The filter that they passed. */
  readonly filter: string;
  readonly rows: number;
  readonly entries: number;
  readonly isComplete: boolean;
  /** The first of them, where nobody can know them yet: so they are seen without being asked for. */
  readonly head?: readonly (RowFacts | undefined)[] | undefined;
}

export function factsOf(timeline: Timeline, version: number): TimelineFacts {
  return { lanes: timeline.lanes.map(laneFacts), span: timeline.span(), gaps: timeline.gaps(), version };
}

function laneFacts(lane: Lane): LaneFacts {
  const { index, header, format, state, fault, hasTimes, infersDirections, footer, log, bytesRead, size } = lane;
  return {
    index,
    label: header.label,
    name: lane.source?.name ?? header.id,
    transport: header.transport,
    served: lane.served,
    format,
    state,
    fault,
    hasTimes,
    infersDirections,
    hasFooter: footer !== undefined,
    messages: log.messageCount,
    entries: log.entries.length,
    errors: log.errorCount,
    problems: lane.problemCount,
    bytesRead,
    size,
  };
}
