import { IgnoreRules } from '../../analysis/diff-ignore.ts';
import type { Profile } from '../../analysis/value-tree.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import type { ClientStep } from '../../replay/recorded-dialogue.ts';
import type { ReplayOptions } from '../../replay/replay-options.ts';
import type { ReplyPolicy } from '../../replay/replay-replies.ts';
import { targetFrom } from '../capture-options.ts';
import { usage } from '../flag-values.ts';
import { type TargetFlags, targetValues } from '../target-options.ts';
import { readIgnoreFile } from './ignore-rules.ts';
import type { ReadingFlags } from './reading.ts';

/** What was given for the flags of `replay`. */
export interface ReplayFlags extends ReadingFlags, TargetFlags {
  readonly output?: string;
  readonly timeout: number;
  readonly handshake: boolean;
  readonly compare: Profile;
  readonly ignore?: readonly string[];
  readonly ignoreFile?: string;
  readonly learn?: number;
  readonly select?: string;
  readonly speed: number;
  readonly repeat?: number;
  readonly update?: boolean;
  readonly record?: string;
  readonly reportOnly?: boolean;
  readonly junit?: string;
  readonly sarif?: string;
  readonly html?: string;
  readonly readOnly?: boolean;
  readonly dryRun?: boolean;
  readonly onServerRequest: ReplyPolicy;
  readonly allowRedacted?: boolean;
}

/** Refuses flags that make no sense together. */
export function refuseContradictions(flags: ReplayFlags): void {
  const { learn, repeat, update, identity } = flags;
  if (learn !== undefined && repeat !== undefined) {
    throw usage('--learn and --repeat do not go together', '--learn says how often to replay.');
  }
  if (learn !== undefined && update) {
    throw usage('--learn and --update do not go together', 'Learn first, then update.');
  }
  if (repeat !== undefined && update) {
    throw usage('--repeat and --update do not go together', 'The answers of one replay are enough.');
  }
  if (update && identity !== undefined) {
    throw usage('--update would write an encrypted session in plain text', 'Decrypt it first.');
  }
}

/** What the flags ask for, of which the target is left out where nothing is sent. */
export async function replayOptionsFrom(
  flags: ReplayFlags,
  words: readonly string[],
  session: RecordedSession,
): Promise<ReplayOptions> {
  const fromFile =
    flags.ignoreFile === undefined ? [] : await readIgnoreFile(flags.ignoreFile, flags.learn !== undefined);
  const ignore = [...(flags.ignore ?? []), ...fromFile];
  // Only to find out now whether they can be read.
  new IgnoreRules(ignore);
  return {
    target: targetFrom(targetValues(flags), words),
    profile: flags.compare,
    ignore,
    timeoutMs: flags.timeout * 1000,
    handshake: flags.handshake,
    speed: flags.speed,
    onServerRequest: flags.onServerRequest,
    allowRedacted: flags.allowRedacted === true,
    readOnly: flags.readOnly === true,
    selects: flags.select === undefined ? undefined : await selectionOf(flags.select, session),
  };
}

/** The messages that a filter matches. A request is selected with its answer, too: `status:error` asks for that. */
async function selectionOf(text: string, session: RecordedSession): Promise<(step: ClientStep) => boolean> {
  const { loadFilter } = await import('../../analysis/filter.ts');
  const { filteredBy } = await import('./filtering.ts');
  const selected = new Set<string>();
  const { batches } = await filteredBy(session, await loadFilter(text));
  for await (const batch of batches()) {
    for (const entry of batch) {
      if (entry.kind === 'message') selected.add(entry.correlatedId ?? entry.proxyId);
    }
  }
  if (selected.size === 0) {
    throw new ReelError('session-empty', `No message of the session matches ${text}`, {
      hint: 'Try the filter with mcpreel inspect --filter.',
    });
  }
  return ({ entry }) => selected.has(entry.proxyId);
}
