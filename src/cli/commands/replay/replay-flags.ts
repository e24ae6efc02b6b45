import { IgnoreRules } from '../../../analysis/diff/ignore-rules.ts';
import { ReelError } from '../../../model/errors.ts';
import { isRedacted } from '../../../model/placeholder.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { LEFT_OUT, shellLine } from '../../../model/shell-line.ts';
import type { ClientStep } from '../../../recorded/recorded-dialogue.ts';
import type { ReplayOptions } from '../../../replay/replay-options.ts';
import type { ReplyPolicy } from '../../../replay/reply-policy.ts';
import type { CommandEnvironment } from '../../context.ts';
import type { CaptureFlagValues } from '../../flags/capture-flags.ts';
import { targetFrom } from '../../flags/capture-options.ts';
import { filterOfFlag } from '../../flags/filter-flag.ts';
import { usage } from '../../flags/flag-values.ts';
import { type ComparingFlags, readIgnoreFile } from '../diff/comparing.ts';
import { isStandardOutput } from '../shared/deliver.ts';
import type { ReadingFlags } from '../shared/reading.ts';

/** The flags of `replay`, apart from those that name the server. */
export interface ReplayFlags extends ReadingFlags, ComparingFlags {
  readonly output?: string;
  readonly timeout: number;
  readonly handshake: boolean;
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

/** Throws on flags that contradict each other. */
export function refuseContradictions(flags: ReplayFlags): void {
  const { learn, repeat, update } = flags;
  if (learn !== undefined && repeat !== undefined) {
    throw usage('--learn and --repeat cannot be used together', 'Remove one of them.');
  }
  if (learn !== undefined && update) {
    throw usage('--learn and --update cannot be used together', 'Learn first, then update.');
  }
  if (repeat !== undefined && update) {
    throw usage('--repeat and --update cannot be used together', 'One run is enough to update.');
  }
}

/** The server to replay to: its connection flags and the words after `--`. */
export interface ReplayServer {
  readonly values: CaptureFlagValues;
  readonly words: readonly string[];
}

/** Converts the flags to replay options. */
export async function replayOptionsFrom(
  flags: ReplayFlags,
  server: ReplayServer,
  session: RecordedSession,
  /** The session as the user named it. */
  file: string,
  { platform }: Pick<CommandEnvironment, 'platform'>,
): Promise<ReplayOptions> {
  const { values, words } = server;
  requireServer(server, session, file, platform);
  const { ignoreFile, learn } = flags;
  // What is learned may go to standard output, which has no rules yet.
  const isRead = ignoreFile !== undefined && !(learn !== undefined && isStandardOutput(ignoreFile));
  const fromFile = isRead ? await readIgnoreFile(ignoreFile, learn !== undefined) : [];
  const ignore = [...(flags.ignore ?? []), ...fromFile];
  // Throws now if a rule is invalid.
  new IgnoreRules(ignore);
  return {
    target: targetFrom(values, words),
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

/** Throws if no server is given, and suggests the one that was recorded. */
function requireServer(
  { values, words }: ReplayServer,
  { header }: RecordedSession,
  file: string,
  platform: string,
): void {
  const isGiven = [values['target-command'], values['target-url']].some((value) => value !== undefined);
  if (isGiven || words.length > 0) return;
  const { command, url } = header;
  const replay = shellLine(['mcpreel', 'replay', file], platform);
  if (command.length > 0) {
    const line = command.map((word) => (isRedacted(word) ? LEFT_OUT : shellLine([word], platform))).join(' ');
    throw usage('No server given', `Try: ${replay} -- ${line} (as recorded)`);
  }
  if (url !== undefined) {
    const shown = isRedacted(url) ? LEFT_OUT : shellLine([url], platform);
    throw usage('No server given', `Try: ${replay} --target-url ${shown} (as recorded)`);
  }
  throw usage('No server given', `Put its command after --, like: ${replay} -- node server.js`);
}

/** The messages that match a filter. A request is also selected by its response, as in `status:error`. */
async function selectionOf(text: string, session: RecordedSession): Promise<(step: ClientStep) => boolean> {
  const { filteredBy } = await import('../shared/filtering.ts');
  const selected = new Set<string>();
  const { batches } = await filteredBy(session, await filterOfFlag('--select', text));
  for await (const batch of batches()) {
    for (const entry of batch) {
      if (entry.kind === 'message') selected.add(entry.correlatedId ?? entry.proxyId);
    }
  }
  if (selected.size === 0) {
    throw new ReelError('session-empty', `No message of the session matches ${text}`, {
      hint: 'Test the filter: mcpreel inspect --filter',
    });
  }
  return ({ entry }) => selected.has(entry.proxyId);
}
