import { useEffect, useState } from 'preact/hooks';
import type { FilmFacts, LaneFacts } from '../engine/film-facts.ts';
import type { LaneLosses } from '../engine/lane-losses.ts';
import { usePage } from '../state/page.ts';
import type { ViewId } from '../state/place.ts';
import { sayCount } from '../state/times.ts';

/** Something that has to be known of what is open, in a few words and in sentences. */
export interface Remark {
  readonly id: string;
  readonly badge: string;
  readonly sentences: readonly string[];
  /** Where there is more about it. */
  readonly view?: ViewId;
}

/** The formats that say how a session ended, if it did. */
const WITH_ENDING = new Set(['trace', 'json']);

/** All that has to be known of what is open, the worst first. */
export function useRemarks(): readonly Remark[] {
  const page = usePage();
  const film = page.film.value;
  const [losses, setLosses] = useState<readonly LaneLosses[]>([]);
  const isReading = film.lanes.some(({ state }) => state === 'reading');
  useEffect(() => {
    let isWanted = true;
    if (!isReading) void page.engine.losses().then((found) => isWanted && setLosses(found));
    return () => {
      isWanted = false;
    };
  }, [film.version, isReading]);
  return remarksOn(film, losses);
}

export function remarksOn({ lanes }: FilmFacts, losses: readonly LaneLosses[]): Remark[] {
  const about = (
    id: string,
    badge: (matching: readonly LaneFacts[]) => string,
    tell: (lane: LaneFacts) => string | undefined,
    view?: ViewId,
  ): Remark[] => {
    const told = lanes.flatMap((lane) => {
      const sentence = tell(lane);
      return sentence === undefined ? [] : [{ lane, sentence }];
    });
    if (told.length === 0) return [];
    const sentences = told.map(({ lane, sentence }) => (lanes.length > 1 ? `${lane.label}: ${sentence}` : sentence));
    return [{ id, badge: badge(told.map(({ lane }) => lane)), sentences, ...(view !== undefined && { view }) }];
  };
  const missedIn = ({ index }: LaneFacts): number => losses[index]?.missed ?? 0;
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
      ({ state, hasFooter, format }) =>
        state === 'read' && !hasFooter && WITH_ENDING.has(format)
          ? 'The recording has no ending: the recorder was killed, or still writes. Calls without an answer may have had one.'
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
      'skipped',
      (matching) => `${counted(sum(matching, problemsIn), 'line')} not read`,
      (lane) =>
        lane.problems > 0
          ? `${counted(lane.problems, 'part')} of ${lane.name} could not be taken as a message. They are marked in the Raw view.`
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
  ];
}

function problemsIn({ problems }: LaneFacts): number {
  return problems;
}

function sum(lanes: readonly LaneFacts[], of: (lane: LaneFacts) => number): number {
  return lanes.reduce((total, lane) => total + of(lane), 0);
}

function counted(count: number, noun: string): string {
  return `${sayCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
