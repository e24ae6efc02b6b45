import { basename } from 'node:path';
import type { BothSides } from '../../../analysis/diff/diff.ts';
import type { Profile } from '../../../analysis/import/profile.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { redactedSession } from '../../../redact/redacted-session.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { compileRedaction, redactionFrom } from '../../flags/redact-flags.ts';
import { htmlPage } from '../../html-page.ts';
import { describeRemovals } from '../../input/removals.ts';
import { deliver } from '../shared/deliver.ts';

/** The comparison settings from the flags. */
export interface ComparedBy {
  readonly profile: Profile;
  readonly rules: readonly string[];
}

/** Writes a page that compares two sessions, with secrets redacted. `names` are the sessions as the user named them. */
export async function* writeDiffPage(
  file: string,
  sessions: BothSides<RecordedSession>,
  names: BothSides<string>,
  { profile, rules }: ComparedBy,
  { programFolder }: CommandEnvironment,
): CommandStep {
  // The same salt for both, so that equal values stay equal.
  const redaction = await compileRedaction(redactionFrom({}));
  const a = redactedSession(sessions.a, redaction);
  const b = redactedSession(sessions.b, redaction);
  const place = new URLSearchParams({ view: 'diff' });
  if (profile !== 'semantic') place.set('compare', profile);
  if (rules.length > 0) place.set('ignore', rules.join('\n'));
  const recordings = [
    { name: nameOf(names.a), session: a },
    { name: nameOf(names.b), session: b },
  ];
  yield* deliver(htmlPage({ recordings, place: place.toString() }, programFolder), file);
  for (const removals of [a.removals(), b.removals()]) {
    if (removals.size > 0) yield { note: `Redacted ${describeRemovals(removals)}` };
  }
}

/** The page must not reveal where a recording was stored. */
function nameOf(reference: string): string {
  return reference === '-' ? 'standard input' : basename(reference);
}
