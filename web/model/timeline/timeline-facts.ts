import type { RowFacts } from '../row-facts.ts';
import type { Lane, LaneState } from './lane.ts';
import type { Timeline, TimelineGap } from './timeline.ts';

/** The facts about a lane that the page knows without a query. */
export interface LaneFacts {
  readonly index: number;
  readonly label: string;
  readonly name: string;
  readonly transport: string;
  /** The id of this recording in the program that serves the page, which can replay its calls. */
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

/** The facts about all lanes that the page knows without a query. */
export interface TimelineFacts {
  readonly lanes: readonly LaneFacts[];
  readonly span: TimelineGap | undefined;
  readonly gaps: readonly TimelineGap[];
  /** Counts the changes, so that a component knows when to fetch again. */
  readonly version: number;
}

/** The rows of the timeline as far as they are known. */
export interface ShownFacts {
  /** Counts the changes of the selection and of the data. */
  readonly version: number;
  /** The filter that these rows match. */
  readonly filter: string;
  readonly rows: number;
  readonly entries: number;
  readonly isComplete: boolean;
  /** The first rows, if the page cannot have them yet. This saves a query. */
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
