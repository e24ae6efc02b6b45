import type { LaneLosses } from '../model/timeline/lane-losses.ts';
import type { LaneFacts, TimelineFacts } from '../model/timeline/timeline-facts.ts';
import { usePage } from '../state/page.ts';
import type { ViewId } from '../state/place.ts';
import { counted } from '../state/times.ts';

/** A notice about the open recordings: a badge, and sentences that explain it. */
export interface PageNotice {
  readonly id: string;
  readonly badge: string;
  readonly sentences: readonly string[];
  /** The view with more about it. */
  readonly view?: ViewId;
}

/** The formats that hold everything, including how a session ended. */
const OWN_FORMATS = new Set(['trace', 'json']);

/** All notices about the open recordings, most serious first. */
export function useRemarks(): readonly PageNotice[] {
  const { timeline, losses } = usePage();
  return remarksOn(timeline.value, losses.value);
}

export function remarksOn({ lanes }: TimelineFacts, losses: readonly LaneLosses[]): PageNotice[] {
  const about = (
    id: string,
    badge: (matching: readonly LaneFacts[]) => string,
    report: (lane: LaneFacts) => string | undefined,
    view?: ViewId,
  ): PageNotice[] => {
    const reported = lanes.flatMap((lane) => {
      const sentence = report(lane);
      return sentence === undefined ? [] : [{ lane, sentence }];
    });
    if (reported.length === 0) return [];
    const sentences = reported.map(({ lane, sentence }) =>
      lanes.length > 1 ? `${lane.label}: ${sentence}` : sentence,
    );
    return [{ id, badge: badge(reported.map(({ lane }) => lane)), sentences, ...(view !== undefined && { view }) }];
  };
  const missedIn = ({ index }: LaneFacts): number => losses[index]?.missed ?? 0;
  const tooLongIn = ({ index }: LaneFacts): number => losses[index]?.tooLong ?? 0;
  const inOtherParts = ({ index }: LaneFacts): number => losses[index]?.inOtherParts ?? 0;
  const redactedIn = ({ index }: LaneFacts): number => losses[index]?.redacted.values ?? 0;
  return [
    ...about(
      'broken',
      () => 'broke off',
      ({ state, fault, entries }) =>
        state === 'lost' && entries > 0 ? `It could not be read to its end. ${fault}` : undefined,
    ),
    ...about(
      'incomplete',
      () => 'cut short',
      (lane) => {
        const isCutOff = losses[lane.index]?.isCutOff === true;
        if (lane.state !== 'read' || !(isCutOff || hasNoEnding(lane))) return undefined;
        return [...(isCutOff ? [CUT_OFF] : []), ...(hasNoEnding(lane) ? [NO_ENDING] : [])].join(' ');
      },
    ),
    ...about(
      'parts',
      () => 'parts missing',
      (lane) =>
        inOtherParts(lane) > 0
          ? `${counted(inOtherParts(lane), 'entry is', 'entries are')} in parts of the trace that are not here: --max-files removed them, or they were not opened with it.`
          : undefined,
    ),
    ...about(
      'gaps',
      (matching) => `${counted(sum(matching, missedIn), 'message')} missing`,
      (lane) =>
        missedIn(lane) > 0
          ? `${counted(missedIn(lane), 'message')} passed without being recorded. The rows called “gap” say where and why.`
          : undefined,
    ),
    ...about(
      'truncated',
      (matching) => `${counted(sum(matching, tooLongIn), 'message')} too long`,
      (lane) =>
        tooLongIn(lane) > 0
          ? `${counted(tooLongIn(lane), 'message')} longer than --max-message passed: only the size of each was recorded, and mostly its hash. The rows called “gap” say where.`
          : undefined,
    ),
    ...about(
      'skipped',
      (matching) => `${counted(sum(matching, problemsIn), 'line')} not read`,
      (lane) =>
        lane.problems > 0
          ? `${counted(lane.problems, 'part')} of ${lane.name} could not be read as messages: the view Raw marks where.`
          : undefined,
      'raw',
    ),
    ...about(
      'redacted',
      (matching) => `${counted(sum(matching, redactedIn), 'value')} redacted`,
      (lane) =>
        redactedIn(lane) > 0
          ? `Removed: ${counted(redactedIn(lane), 'value')} at ${counted(losses[lane.index]?.redacted.places ?? 0, 'place')}. [REDACTED:…] stands there; equal values have equal digits.`
          : undefined,
    ),
    ...about(
      'directions',
      () => 'directions inferred',
      ({ infersDirections, format }) =>
        infersDirections ? `Files of the format ${format} do not say who sent what: that was inferred.` : undefined,
    ),
    ...about(
      'times',
      () => 'no times',
      ({ hasTimes, format, state }) =>
        !hasTimes && state !== 'lost'
          ? `Files of the format ${format} have no times: messages are numbered, and durations mean nothing.`
          : undefined,
    ),
    ...about(
      'imported',
      () => 'imported',
      ({ index, format, state }) =>
        state === 'read' && !OWN_FORMATS.has(format) ? importedWords(format, losses[index]?.lacks ?? []) : undefined,
    ),
  ];
}

const CUT_OFF = 'The file ends in the middle: what was cut off is not shown.';
const NO_ENDING =
  'The recording has no ending: the recorder was killed, or still writes. Calls without an answer may have had one.';

function hasNoEnding({ hasFooter, format }: LaneFacts): boolean {
  return !hasFooter && OWN_FORMATS.has(format);
}

function importedWords(format: string, lacks: readonly string[]): string {
  const from = `It was imported from the format ${format}`;
  if (lacks.length === 0) return `${from}, of another tool: what that did not write down is not here.`;
  return `${from}, which does not hold: ${lacks.join(', ')}.`;
}

function problemsIn({ problems }: LaneFacts): number {
  return problems;
}

function sum(lanes: readonly LaneFacts[], of: (lane: LaneFacts) => number): number {
  return lanes.reduce((total, lane) => total + of(lane), 0);
}
