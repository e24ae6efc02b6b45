import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { diffSessions } from '../analysis/diff/diff.ts';
import { IgnoreRules } from '../analysis/diff/ignore-rules.ts';
import { PROFILES, type Profile } from '../analysis/import/profile.ts';
import { openSession } from '../catalog/open-session.ts';
import { createFolder } from '../files/new-file.ts';
import { isOwnPipe } from '../files/read-text-file.ts';
import { cannotRead } from '../files/reason.ts';
import { ReelError } from '../model/errors.ts';
import { entriesOf, type RecordedSession } from '../model/session.ts';
import { assertRewritable, saveRecording } from '../recorded/rewritable-recording.ts';
import { assertKnown } from './given-option.ts';
import { type GivenSession, inMemory, sessionFrom } from './given-session.ts';

/**
 * Options for comparing a session with a recording.
 *
 * @example
 * ```ts
 * import 'mcpreel/vitest';
 * import type { MatchOptions } from 'mcpreel/vitest';
 * import { expect, test } from 'vitest';
 *
 * const options: MatchOptions = { compare: 'shape', ignore: ['$.result._meta'] };
 *
 * test('keeps the shape of its responses', async () => {
 *   await expect('session.json').toMatchRecording('session.json', options);
 * });
 * ```
 */
export interface MatchOptions {
  /** What counts as a difference. Default: `semantic`, which ignores volatile values. */
  readonly compare?: Profile | undefined;
  /** Paths that are not compared, such as `$.result.total` or `tool:search $.result.total`. Default: none. */
  readonly ignore?: readonly string[] | undefined;
}

/**
 * A session, a file that contains one, or a running recording. A running recording is stopped first.
 *
 * @example
 * ```ts
 * import { readSession } from 'mcpreel';
 * import 'mcpreel/vitest';
 * import type { Matchable } from 'mcpreel/vitest';
 * import { expect, test } from 'vitest';
 *
 * test('matches as a path and as a session', async () => {
 *   const sessions: readonly Matchable[] = ['session.json', await readSession('session.json')];
 *   for (const session of sessions) await expect(session).toMatchRecording('session.json');
 * });
 * ```
 */
export type MatchableRecording =
  | GivenSession
  | { readonly session: RecordedSession }
  | { stop(): Promise<{ readonly session: RecordedSession }> };

/** Which recordings may be written: missing and changed ones, only missing ones, or none. */
export type MatchWriting = 'all' | 'new' | 'none';

/** Whether a session matches its recording, or was written as the new recording. */
export interface MatchOutcome {
  readonly matches: boolean;
  /** The differences, or what was written. */
  readonly message: string;
}

/**
 * Compares a session with a recording. If the recording is missing and `writing` allows it, the session becomes the
 * recording.
 */
export async function matchRecording(
  given: MatchableRecording,
  path: string,
  options: MatchOptions,
  writing: MatchWriting,
): Promise<MatchOutcome> {
  const { compare = 'semantic', ignore = [] } = options;
  assertKnown('compare', compare, PROFILES);
  const rules = { profile: compare, ignore: new IgnoreRules(ignore) };
  const session = await sessionOf(given);
  if (!existsSync(path)) return missing(session, path, writing);
  await isOwnPipe(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  const recorded = await openSession(path);
  const diff = await diffSessions({ a: recorded, b: session }, rules);
  const count = diff.contract.length + diff.sequence.length + diff.values.length;
  if (count === 0) return { matches: true, message: `The session matches ${path}` };
  if (writing === 'all') {
    await assertRewritable(path, recorded.format);
    await write(session, path, recorded.format);
    return { matches: true, message: `${path} was updated` };
  }
  const head = `The session differs from ${path}: ${count === 1 ? '1 difference' : `${count} differences`}`;
  const { differenceText } = await import('./difference-text.ts');
  return { matches: false, message: `${head}\n${differenceText(diff)}` };
}

async function sessionOf(given: MatchableRecording): Promise<RecordedSession> {
  if (typeof given === 'string') return sessionFrom(given);
  if (typeof given === 'object' && given !== null) {
    if ('batches' in given) return given;
    if ('session' in given) return given.session;
    if ('stop' in given) return (await given.stop()).session;
  }
  throw new ReelError('usage', 'Not a session', { hint: 'Pass a session, its path, or the result of recordSession.' });
}

async function missing(session: RecordedSession, path: string, writing: MatchWriting): Promise<MatchOutcome> {
  if (writing === 'none') return { matches: false, message: `No recording ${path}, and in CI none is created` };
  createFolder(dirname(path));
  await write(session, path, path.endsWith('.jsonl') ? 'trace' : 'json');
  return { matches: true, message: `${path} was recorded` };
}

async function write(session: RecordedSession, path: string, format: string): Promise<void> {
  // Read the whole session before writing, in case it comes from the same file.
  const whole = await inMemory(session);
  if (!(await hasMessages(whole))) {
    throw new ReelError('session-empty', `No messages to write to ${path}`, {
      hint: 'Connect the client to the recording first.',
    });
  }
  await saveRecording({ ...whole, format }, path);
}

async function hasMessages(session: RecordedSession): Promise<boolean> {
  for await (const entry of entriesOf(session)) if (entry.kind === 'message') return true;
  return false;
}
