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
      () => 'not fully read',
      ({ state, fault, entries }) =>
        state === 'lost' && entries > 0 ? `The file could not be read to the end. ${fault}` : undefined,
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
          ? `${counted(inOtherParts(lane), 'entry is', 'entries are')} in other parts of the trace: they were not opened, or --max-files deleted them.`
          : undefined,
    ),
    ...about(
      'gaps',
      (matching) => `${counted(sum(matching, missedIn), 'message')} missing`,
      (lane) =>
        missedIn(lane) > 0
          ? `${counted(missedIn(lane), 'message')} forwarded but not recorded. See the “gap” rows for the reason.`
          : undefined,
    ),
    ...about(
      'truncated',
      (matching) => `${counted(sum(matching, tooLongIn), 'message')} too long`,
      (lane) =>
        tooLongIn(lane) > 0
          ? `${counted(tooLongIn(lane), 'message')} longer than --max-message: only size and hash were recorded. See the “gap” rows.`
          : undefined,
    ),
    ...about(
      'skipped',
      (matching) => `${counted(sum(matching, problemsIn), 'part')} repaired or not read`,
      (lane) =>
        lane.problems > 0
          ? `${counted(lane.problems, 'part')} of ${lane.name} could not be read as written: a value was assumed (like a missing time), or the part was skipped. See the Raw view.`
          : undefined,
      'raw',
    ),
    ...about(
      'redacted',
      (matching) => `${counted(sum(matching, redactedIn), 'value')} redacted`,
      (lane) =>
        redactedIn(lane) > 0
          ? `${counted(redactedIn(lane), 'value')} redacted in ${counted(losses[lane.index]?.redacted.places ?? 0, 'place')}. Equal values share the same [REDACTED:…] tag.`
          : undefined,
    ),
    ...about(
      'directions',
      () => 'directions inferred',
      ({ infersDirections, format }) =>
        infersDirections
          ? `The format ${format} has no directions: mcpreel inferred who sent each message.`
          : undefined,
    ),
    ...about(
      'times',
      () => 'no times',
      ({ hasTimes, format, state }) =>
        !hasTimes && state !== 'lost'
          ? `The format ${format} has no times: messages are numbered, and there are no durations.`
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

const CUT_OFF = 'The file is truncated: the missing part is not shown.';
const NO_ENDING =
  'The recording has no end: mcpreel was killed or is still recording. Open calls may have had a response.';

function hasNoEnding({ hasFooter, format }: LaneFacts): boolean {
  return !hasFooter && OWN_FORMATS.has(format);
}

function importedWords(format: string, lacks: readonly string[]): string {
  const from = `Imported from the format ${format}`;
  if (lacks.length === 0) return `${from} of another tool, which may record less than mcpreel.`;
  return `${from}, which does not include: ${lacks.join(', ')}.`;
}

function problemsIn({ problems }: LaneFacts): number {
  return problems;
}

function sum(lanes: readonly LaneFacts[], of: (lane: LaneFacts) => number): number {
  return lanes.reduce((total, lane) => total + of(lane), 0);
}
