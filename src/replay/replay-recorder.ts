import type { Direction, Entry, JsonText } from '../model/entry.ts';
import { defaultLabel } from '../model/label.ts';
import type { RecordedSession, SessionHeader } from '../model/session.ts';
import { objectsOf } from '../protocol/rpc-body.ts';
import { EntryMaker } from '../record/entry-maker.ts';
import type { Redactor } from '../redact/redactor.ts';
import { targetFacts } from '../transport/outbound/connect-target.ts';
import type { MessageOrigin } from '../transport/outbound/target-link.ts';
import type { ReplayDeps, ReplayTarget } from './replay-options.ts';

/** Turns the traffic of a replay into entries, as a recording proxy would. */
export class ReplayRecorder {
  readonly #deps: Pick<ReplayDeps, 'nowMs' | 'newId' | 'onEntries'>;
  #maker: EntryMaker | undefined;

  constructor(deps: Pick<ReplayDeps, 'nowMs' | 'newId' | 'onEntries'>) {
    this.#deps = deps;
  }

  take(direction: Direction, text: JsonText, { sse }: MessageOrigin, conversation: number): void {
    const { nowMs, newId, onEntries } = this.#deps;
    const frame = onEntries && objectsOf(text);
    if (onEntries === undefined || frame === undefined) return;
    this.#maker ??= new EntryMaker(newId());
    const entries: Entry[] = [];
    this.#maker.addFrame(frame, direction, nowMs(), entries, { conversation, sse });
    onEntries(entries);
  }
}

export interface RunFacts {
  readonly target: ReplayTarget;
  /** The header of the replayed session. */
  readonly of: SessionHeader;
  readonly id: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly version: string;
  readonly redactor: Redactor | undefined;
}

/** A replay as a new session. */
export function replayedSession(entries: readonly Entry[], facts: RunFacts): RecordedSession {
  const { target, of, id, startedAtMs, endedAtMs, version, redactor } = facts;
  const { transport, command, url } = targetFacts(target);
  const producer = { name: 'mcpreel', version };
  const header: SessionHeader = {
    id,
    startedAtMs,
    label: defaultLabel(command, url),
    transport,
    command,
    url,
    metadata: JSON.stringify({ replay_of: of.id }),
    keepsakes: { trace: JSON.stringify({ kind: 'mcp', source: `mcpreel@${version}`, producer }) },
  };
  return {
    format: 'json',
    header: redactor?.header(header) ?? header,
    footer: { endedAtMs, exitCode: 0, reason: 'producer_shutdown', durationMs: endedAtMs - startedAtMs },
    async *batches() {
      yield entries.map((entry) => redactor?.entry(entry) ?? entry);
    },
  };
}
