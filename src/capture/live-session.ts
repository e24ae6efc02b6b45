import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { safeLabel } from '../catalog/trace-names.ts';
import type { ControlServer } from '../control/control-server.ts';
import { Interception } from '../intercept/interception.ts';
import type { Entry, EventEntry, JsonText } from '../model/entry.ts';
import { STILL_SENDING } from '../model/gap-reasons.ts';
import type { SessionHeader } from '../model/session.ts';
import { shellLine } from '../model/shell-line.ts';
import { envelopeOf } from '../protocol/envelope.ts';
import { EntryMaker, eventEntry } from '../record/entry-maker.ts';
import type { TrafficLog } from '../record/journal/traffic-log.ts';
import { partsOf } from '../record/trace-parts.ts';
import type { Redactor } from '../redact/redactor.ts';
import { endsWithin } from '../transport/time-limit.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';
import { ExitDeadline } from './exit-deadline.ts';
import { PendingRequests } from './pending-requests.ts';
import { PeriodicSaves } from './periodic-saves.ts';
import { SessionRecording, UNCONTROLLED } from './recording.ts';
import { SessionFileSaver } from './session-file-saver.ts';
import { folderOf, footerFor, type SessionEnding } from './session-header.ts';
import { SplitRecording } from './split-recording.ts';

/**
 * Time limits after a signal: for saving, and then for cleaning up if saving did not finish. A client kills its server
 * about two seconds after a signal; a listener is stopped by a person, or by a service manager that waits 10 s or more.
 */
const SAVE_MS = 1500;
const LISTENER_SAVE_MS = 8000;
const CLEAR_UP_MS = 200;
const STATUS_FAILED = 1;

/** A running session: its trace, its session file, its held messages and its control socket for other processes. */
export class LiveSession {
  readonly maker: EntryMaker;
  readonly interception: Interception;
  /** What traffic goes through before it is recorded, if it does. Set before there is any. */
  log: TrafficLog | undefined;
  /** Calls back when all traffic so far is recorded. Replaced where it waits to be recorded. */
  afterTraffic: (then: () => void) => void = (then) => then();
  /** Resolves when something asks the session to end: `end`, `fail` or, after `endOnSignals`, a signal. */
  readonly ended: Promise<void>;
  /** As it is recorded. */
  readonly header: SessionHeader;
  readonly #options: KeepingOptions;
  readonly #deps: SessionDeps;
  readonly #redactor: Redactor | undefined;
  readonly #recording: SessionRecording | SplitRecording;
  readonly #probe = new ProbeWatch();
  /** Used only on Windows, where it decides when the server is killed. */
  readonly #unanswered: PendingRequests | undefined;
  readonly #saver: SessionFileSaver | undefined;
  readonly #periodicSaves: PeriodicSaves | undefined;
  #deadline = new ExitDeadline(SAVE_MS);
  readonly #endpoint: Promise<ControlServer | undefined>;
  #end: () => void = () => undefined;
  #stopListening: () => void = () => undefined;
  #failure: string | undefined;

  /** Throws only if the session must be recorded or controlled, and that is impossible. */
  constructor(header: SessionHeader, options: KeepingOptions, deps: SessionDeps, redactor: Redactor | undefined) {
    const { id, label, startedAtMs, transport } = header;
    const { traceFile, rotation, mustRecord = false, saveEveryMs } = options;
    const { stateFolder, pid, note, newId, nowMs, requestEnd } = deps;
    this.header = redactor?.header(header) ?? header;
    this.#options = options;
    this.#deps = deps;
    this.#redactor = redactor;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const recorded = {
      header: this.header,
      traceFile,
      rotation,
      mustRecord,
      mustControl: isHolding(options),
      stateFolder,
      pid,
      machine: deps,
      note,
      onFailure: (reason: string) => {
        if (mustRecord) this.fail(`The session was stopped because recording failed: ${reason}`);
      },
      onLines: (firstSeq: number, text: string) => this.interception.linesAdded(firstSeq, text),
    };
    this.#recording = options.split ? new SplitRecording({ ...recorded, newId }) : new SessionRecording(recorded);
    if (this.#recording.isRecording) deps.onRecording?.(this.#recording.path);
    this.maker = new EntryMaker(id);
    const { path: trace } = this.#recording;
    this.interception = new Interception(options.interception ?? {}, {
      facts: { id, label, startedAtMs, transport, pid, trace, folder: folderOf({}) ?? dirname(trace) },
      newId: () => this.maker.newId(),
      nowMs,
      redactor,
      recordAction: (raw, conversation) => this.recordAction(raw, conversation),
      nextSeq: () => {
        this.log?.settle();
        return this.#recording.nextSeq;
      },
      save: (path) => this.#saveAs(path),
      requestEnd,
    });
    this.#unanswered = deps.platform === 'win32' ? new PendingRequests() : undefined;
    this.#saver = this.#newSaver();
    if (saveEveryMs !== undefined) this.#periodicSaves = new PeriodicSaves(saveEveryMs, () => this.saveMeanwhile());
    this.#endpoint = this.#openEndpoint();
  }

  /** Whether the client has only probed the server. */
  get isProbeOnly(): boolean {
    this.log?.settle();
    return this.#probe.isProbeOnly;
  }

  /** Whether the client waits for an answer, as far as known. */
  get hasOpenRequests(): boolean {
    return this.#unanswered?.any === true;
  }

  /** Redacts entries and appends them to the trace. */
  record(entries: readonly Entry[]): void {
    this.#recording.append(this.#redactor === undefined ? entries : withoutSecrets(entries, this.#redactor));
    this.#see(entries);
  }

  /** Appends entries without secrets to the trace. */
  recordRedacted(entries: readonly Entry[]): void {
    this.#recording.append(entries);
    this.#see(entries);
  }

  /** The file of the trace being written. */
  get tracePath(): string {
    return this.#recording.path;
  }

  /** Whether there is a trace to write to. */
  get isRecording(): boolean {
    return this.#recording.isRecording;
  }

  /** Whether everything that was recorded is in the trace, or lost. */
  get isWritten(): boolean {
    return this.#recording.waitingBytes === 0;
  }

  recordAction(raw: Readonly<Record<string, unknown>> | JsonText, conversation?: number): void {
    const action = eventEntry('mcpreel.action', this.#deps.nowMs(), raw, conversation);
    if (this.log === undefined) this.afterTraffic(() => this.record([action]));
    else this.#logEvent(this.log, action);
  }

  /** Records that stdin was closed while the client was sending. */
  recordUnread(): void {
    const gap = eventEntry('mcpreel.gap', this.#deps.nowMs(), { dir: 'in', why: STILL_SENDING });
    if (this.log === undefined) this.record([gap]);
    else this.#logEvent(this.log, gap);
  }

  #logEvent(log: TrafficLog, { event, raw, conversation, atMs }: EventEntry): void {
    log.act({ kind: 'event', event, raw, conversation }, atMs);
  }

  /**
   * Saves the current state to the session file, because this process may be killed before the session ends. A session
   * that may turn out to be a probe must not overwrite an existing file.
   */
  async saveMeanwhile(): Promise<void> {
    const saver = this.#saver;
    if (saver === undefined) return;
    this.log?.settle();
    if (this.#probe.hasTalked || !saver.fileExists) await saver.save();
  }

  /** Calls back for each signal until the session is closed. */
  onSignal(received: (signal: NodeJS.Signals) => void): void {
    this.#stopListening = this.#deps.onSignal(received);
  }

  /** A signal arrived. Saves at once, because there may be little time later. */
  signalled(): void {
    this.#deadline.signalled();
    void this.saveMeanwhile();
  }

  /** Lets a signal or the embedding program end the session, for sessions that no server process ends. */
  endOnSignals(isListener: boolean): void {
    if (isListener) this.#deadline = new ExitDeadline(LISTENER_SAVE_MS);
    this.onSignal((signal) => {
      this.recordAction({ action: 'signal', signal });
      if (!isEnding(signal)) return;
      this.interception.release();
      this.signalled();
      this.#end();
    });
    void this.#deps.stopped?.then(this.#end);
  }

  end(): void {
    this.#end();
  }

  /** Ends the session with an error that is shown to the user. */
  fail(reason: string): void {
    this.#failure ??= reason;
    this.#end();
  }

  /** Saves everything, and resolves with the exit status. `status` is that of the server process, if there is one. */
  async close(status?: SessionEnding): Promise<number> {
    const code = this.#failure === undefined ? 0 : STATUS_FAILED;
    this.interception.end();
    await Promise.all([
      this.#finish(status ?? { code, reason: 'producer_shutdown' }),
      this.#endpoint.then((endpoint) => endpoint?.close()),
    ]);
    this.#stopListening();
    if (this.#failure === undefined) return status?.code ?? 0;
    this.#deps.note(`Error: ${sentence(this.#failure)}`);
    return STATUS_FAILED;
  }

  #see(entries: readonly Entry[]): void {
    this.#probe.see(entries);
    this.#unanswered?.see(entries);
  }

  #newSaver(): SessionFileSaver | undefined {
    const { sessionFile, traceFile } = this.#options;
    if (sessionFile === undefined) return undefined;
    const remedy =
      traceFile === undefined
        ? shellLine(
            ['mcpreel', 'sessions', 'recover', this.header.id.slice(0, 8), '-o', sessionFile],
            this.#deps.platform,
          )
        : shellLine(['mcpreel', 'export', this.#recording.path, '-f', 'json', '-o', sessionFile], this.#deps.platform);
    return new SessionFileSaver({
      tracePath: () => this.#ownTrace(),
      sessionFile,
      remedy,
      note: this.#deps.note,
    });
  }

  /** The path of the trace. Throws if another file was put in its place, which must not become the session file. */
  #ownTrace(): string {
    const { path, isInPlace } = this.#recording;
    if (!isInPlace) throw new Error(`Cannot read ${path}: it is not the file that was recorded to`);
    return path;
  }

  /** Writes everything recorded so far into a session file, on request of a control client. */
  async #saveAs(path: string | undefined): Promise<string> {
    // The label may contain a secret, especially if it is derived from the command.
    const { label, id } = this.header;
    const requested = resolve(path ?? this.#options.sessionFile ?? `${safeLabel(label)}-${id.slice(0, 8)}.json`);
    const { saveSessionFile } = await import('../record/save-session-file.ts');
    this.log?.settle();
    await saveSessionFile(this.#ownTrace(), requested);
    this.recordAction({ action: 'save', path: requested });
    return requested;
  }

  /** Resolves when everything is saved, or the time limit has passed. */
  async #finish(status: SessionEnding): Promise<void> {
    this.#periodicSaves?.close();
    this.#deadline.serverEnded();
    const kept = this.#keep(status);
    await Promise.race([kept, this.#deadline.isOver.then(() => this.#giveUp(kept))]);
    this.#deadline.close();
    this.#recording.withdraw();
  }

  async #keep(status: SessionEnding): Promise<void> {
    const { isProbeOnly } = this;
    const endedAtMs = this.#deps.nowMs();
    const whole = footerFor(status, this.header, endedAtMs, isProbeOnly);
    const footer = this.#redactor?.footer(whole) ?? whole;
    this.log?.act({ kind: 'ended', footer }, endedAtMs);
    this.log?.settle();
    await this.#recording.close(footer);
    const isSaved = await this.#saveAtEnd(isProbeOnly);
    this.log?.close(true);
    if (!isSaved || this.#options.keepsTrace !== false) return;
    for (const part of await partsOf(this.#recording.path)) await rm(part, { force: true });
  }

  /** Saves the session file, if there is one to save. */
  async #saveAtEnd(isProbeOnly: boolean): Promise<boolean> {
    // An existing file may hold a real session: a client probes in a separate process.
    if (this.#saver === undefined || (isProbeOnly && this.#saver.fileExists)) return false;
    return this.#saver.save();
  }

  async #giveUp(kept: Promise<void>): Promise<void> {
    this.#saver?.giveUp();
    const isClear = await endsWithin(kept, CLEAR_UP_MS);
    if (!isClear) this.#saver?.complainOfTime();
  }

  /** Opens the control socket after the server has started, so that loading its code does not delay the start. */
  async #openEndpoint(): Promise<ControlServer | undefined> {
    const { place } = this.#recording;
    if (place === undefined) return undefined;
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const { serveLive } = await import('../control/control-server.ts');
      const served = await serveLive(this.interception, place);
      if (served !== undefined) return served;
    } catch {
      // Reported below.
    }
    const why = `${UNCONTROLLED}: cannot listen on ${place.socket}`;
    if (isHolding(this.#options)) this.fail(why);
    else this.#deps.note(`mcpreel: ${why}`);
    return undefined;
  }
}

/** Whether a signal ends the session. */
export function isEnding(signal: NodeJS.Signals): boolean {
  return signal !== 'SIGUSR1' && signal !== 'SIGUSR2';
}

/** Capitalizes a reason, so that it can stand alone. */
export function sentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

function withoutSecrets(entries: readonly Entry[], redactor: Redactor): readonly Entry[] {
  let kept: Entry[] | undefined;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as Entry;
    const redacted = redactor.entry(entry);
    // Most entries need no redaction, and then nothing is copied.
    if (redacted !== entry) kept ??= entries.slice(0, index);
    kept?.push(redacted);
  }
  return kept ?? entries;
}

/** Whether messages are held, or are dropped if no one releases them. */
function isHolding({ interception }: KeepingOptions): boolean {
  return interception?.mode === 'intercept' || interception?.failsClosed === true;
}

/** Methods of a client that only asks which revisions a server supports. */
const PROBING = new Set(['server/discover', 'notifications/cancelled']);

/**
 * Detects sessions that are only a probe. Clients that support several revisions may start a server once to probe it
 * and again to use it.
 */
class ProbeWatch {
  #requested = false;
  #talked = false;

  see(entries: readonly Entry[]): void {
    if (this.#talked) return;
    for (const entry of entries) {
      if (entry.kind !== 'message' || entry.direction !== 'client_to_server') continue;
      const { method = '' } = envelopeOf(entry);
      if (PROBING.has(method)) this.#requested ||= method === 'server/discover';
      else this.#talked = true;
    }
  }

  /** Whether the client has sent any other message. */
  get hasTalked(): boolean {
    return this.#talked;
  }

  get isProbeOnly(): boolean {
    return this.#requested && !this.#talked;
  }
}
