import { inLongRuns } from '../support/long-run.ts';
import type { Place } from '../support/place.ts';
import { SampleTrace, said } from '../tui/sample-traces.ts';

/** A command that looks harmless, with another one behind blanks. */
export function hiding(place: Place, blanks: string): string[] {
  return ['sh', '-c', `exec node server.js${blanks};id > ${place.path('HIDDEN')}`];
}

/** Ways to push the rest of a command out of sight, and what is shown in their place. */
const ALL_BLANKS: readonly (readonly [name: string, blanks: string, mark: string])[] = [
  ['line breaks', '\n'.repeat(500), '↵×500'],
  ['4,000 spaces', ' '.repeat(4000), '␣×4000'],
  ['wide spaces', '\u3000'.repeat(4000), '‹3000›×4000'],
  ['tabs and line breaks in turn', '\t\n'.repeat(300), '‹600 blanks›'],
];

export const BLANKS: typeof ALL_BLANKS = inLongRuns(ALL_BLANKS, ALL_BLANKS.slice(0, 2));

/** Writes a recording of one call to this command. */
export function writeRecording(place: Place, command: readonly string[], name?: string): string {
  return new SampleTrace({ command }).call(1, 2, 'read', {}, said('x')).write(place, name);
}

/** A name that a recorder gives to a trace in the state folder. */
export const OWN: string = 'home/sessions/2026-01-02T03-04-05-000Z-x-abcd1234.jsonl';
