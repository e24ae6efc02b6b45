import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Entry } from '../model/entry.ts';
import { JournalFile } from '../record/journal/journal-file.ts';
import { journalHead } from '../record/journal/journal-head.ts';
import { JournalLog } from '../record/journal/journal-log.ts';
import { DirectLog, type TrafficLog } from '../record/journal/traffic-log.ts';
import { type LongLines, StdioTraffic } from '../record/stdio-traffic.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import { journalPlace } from '../state/journal-place.ts';
import { removePointer, writePointer } from '../state/journal-pointers.ts';
import { processIdentity } from '../state/process-identity.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../transport/bounded-lines.ts';
import type { KeepingOptions, RecordingSafety, SessionDeps } from './capture-options.ts';
import type { LiveSession } from './live-session.ts';
import { LongLineReader } from './long-lines/long-line-reader.ts';
import type { SessionRedaction } from './session-redactor.ts';

export interface TrafficLogOptions {
  readonly session: LiveSession;
  readonly options: KeepingOptions;
  readonly deps: SessionDeps;
  readonly redaction: SessionRedaction;
}

/** A container may end with all of its memory, and without a signal. */
const CONTAINER_WAIT_MS = 100;
/** Files of the usual container runtimes. */
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io'];

/**
 * Opens the log of a session over stdio: a journal where there is memory for it. Where there is none, everything is recorded
 * before it takes effect, which is reported to the user.
 */
export function openTrafficLog(all: TrafficLogOptions): TrafficLog {
  const { session, options, deps } = all;
  const safety = safetyOf(options, deps);
  const maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
  const record = (entries: readonly Entry[]): void => session.record(entries);
  const { maker } = session;
  const direct = (goesFirst: boolean): TrafficLog =>
    new DirectLog(new StdioTraffic({ maker, maxMessageBytes, record }), goesFirst);
  if (safety !== 'journal') return direct(safety === 'durable');
  const tell = (why: string): void => {
    // If nothing is recorded either, that was already reported.
    if (session.isRecording) deps.note(`mcpreel: Recording before forwarding, without a journal: ${why}`);
  };
  const place = journalPlace(deps.env);
  if ('reasons' in place) {
    tell(place.reasons.join(', '));
    return direct(true);
  }
  const { stateFolder } = deps;
  const longLines = longLinesOf(all);
  const { id } = session.header;
  try {
    const file = createJournal(place.folder, maxMessageBytes, all);
    return new JournalLog({
      file,
      traffic: new StdioTraffic({ maker, maxMessageBytes, record, marksPlaces: true, longLines }),
      maxBytes: place.maxBytes,
      pace: CONTAINER_MARKS.some((path) => existsSync(path)) ? { maxWaitMs: CONTAINER_WAIT_MS } : {},
      isBehind: () => !session.isWritten,
      mayForget: () => session.isWritten && all.redaction.redactor?.isInsideKey !== true,
      isWatched: () => session.interception.isWatched,
      onFailure: tell,
      onClosed: (isKept) => {
        longLines?.close();
        if (isKept) removePointer(stateFolder, id);
      },
    });
  } catch (error) {
    removePointer(stateFolder, id);
    tell((error as Error).message);
    return direct(true);
  }
}

/** Reads long lines in another thread, so that what they say does not delay the next ones. */
function longLinesOf({ session, options, deps, redaction }: TrafficLogOptions): OwnLongLines | undefined {
  const { longLineScript } = deps;
  if (longLineScript === undefined) return undefined;
  const { redactor, salt, exactValues } = redaction;
  const rules = options.redaction ?? DEFAULT_REDACTION;
  let reader: LongLineReader | undefined;
  return {
    // Lines of a key that has begun are known to this thread only.
    mayRead: () => redactor?.isInsideKey !== true,
    read(line, onRead) {
      reader ??= new LongLineReader({ rules, salt, exactValues }, longLineScript);
      reader.read(line, onRead);
    },
    record: (entries) => session.recordRedacted(entries),
    close: () => reader?.close(),
  };
}

interface OwnLongLines extends LongLines {
  readonly close: () => void;
}

/** A session that must be recorded is recorded before it is forwarded. */
function safetyOf({ safety = 'journal', mustRecord }: KeepingOptions, deps: SessionDeps): RecordingSafety {
  if (safety !== 'journal') return safety;
  if (mustRecord) return 'durable';
  // Elsewhere, there is no file system in memory.
  return deps.mayJournal === true && deps.platform === 'linux' ? 'journal' : 'none';
}

/** Creates the journal, and before it the pointer to it: without that, no recovery would find it. */
function createJournal(
  folder: string,
  maxMessageBytes: number,
  { session, options, deps, redaction }: TrafficLogOptions,
): JournalFile {
  const { header } = session;
  const { sessionFile, keepsTrace = true, redaction: rules = DEFAULT_REDACTION } = options;
  const { salt, exactValues } = redaction;
  const owner = processIdentity(deps.pid);
  const trace = resolve(session.tracePath);
  const journal = join(folder, `${header.id}.journal`);
  const head = journalHead({
    owner,
    version: deps.version,
    header,
    trace,
    sessionFile: sessionFile === undefined ? undefined : resolve(sessionFile),
    keepsTrace,
    maxMessageBytes,
    redaction: { ...rules, salt, exactValues },
  });
  writePointer(deps.stateFolder, { id: header.id, journal, trace, owner });
  return new JournalFile(journal, head);
}
