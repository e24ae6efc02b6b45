import { resolve } from 'node:path';
import { safeLabel } from '../catalog/trace-names.ts';
import type { ControlServer } from '../control/control-server.ts';
import type { Entry } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import { EntryMaker, eventEntry } from '../record/entry-maker.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';
import { Interception } from './interception.ts';
import { KeptSession } from './kept-session.ts';
import type { SessionEnding } from './session-header.ts';

/** A running session: its recording, its interception, and the control socket for other processes. */
export class SteeredSession {
  readonly maker: EntryMaker;
  readonly interception: Interception;
  readonly #header: SessionHeader;
  readonly #options: KeepingOptions;
  readonly #deps: SessionDeps;
  readonly #redactor: Redactor | undefined;
  readonly #kept: KeptSession;
  readonly #endpoint: Promise<ControlServer | undefined>;

  /** Throws only if `mustRecord` is set and recording is impossible. Calls `onFailure` when recording fails. */
  constructor(
    header: SessionHeader,
    options: KeepingOptions,
    deps: SessionDeps,
    redactor: Redactor | undefined,
    onFailure: (reason: string) => void,
  ) {
    const { id, label, startedAtMs, transport } = header;
    this.#header = header;
    this.#options = options;
    this.#deps = deps;
    this.#redactor = redactor;
    this.#kept = new KeptSession(header, options, deps, redactor, onFailure);
    this.maker = new EntryMaker(id);
    const kept = this.#kept;
    this.interception = new Interception(options.interception ?? {}, {
      facts: { id, label, startedAtMs, transport, pid: deps.pid, trace: kept.tracePath, folder: resolve() },
      maker: this.maker,
      nowMs: deps.nowMs,
      redactor,
      record: (entries) => kept.append(entries),
      nextSeq: () => kept.nextSeq,
      save: (path) => this.#save(path),
      requestEnd: deps.requestEnd,
    });
    kept.onLines = (firstSeq, text) => this.interception.linesAdded(firstSeq, text);
    this.#endpoint = this.#openEndpoint();
  }

  get id(): string {
    return this.#header.id;
  }

  /** Whether the client has only probed the server. */
  get isProbeOnly(): boolean {
    return this.#kept.isProbeOnly;
  }

  /** Whether the client waits for an answer, as far as known. */
  get hasOpenRequests(): boolean {
    return this.#kept.hasOpenRequests;
  }

  /** Saves the current state to the session file, because this process may be killed before the session ends. */
  saveMeanwhile(): void {
    this.#kept.saveMeanwhile();
  }

  append(entries: readonly Entry[]): void {
    this.#kept.append(entries);
  }

  recordAction(raw: Readonly<Record<string, unknown>>, conversation?: number): void {
    this.append([eventEntry('mcpreel.action', this.#deps.nowMs(), raw, conversation)]);
  }

  /** A signal arrived. If it ends the session, held messages are forwarded. */
  signalled(signal: NodeJS.Signals): void {
    if (isEnding(signal)) this.interception.release();
    this.#kept.signalled();
  }

  /** Resolves when everything is saved, or the time limit has passed. */
  async end(status: SessionEnding): Promise<void> {
    this.interception.end();
    await Promise.all([this.#kept.end(status), this.#endpoint.then((endpoint) => endpoint?.close())]);
  }

  async #save(path: string | undefined): Promise<string> {
    const { sessionFile } = this.#options;
    // The label may contain a secret, especially if it is derived from the command.
    const { label, id } = this.#redactor?.header(this.#header) ?? this.#header;
    const requested = resolve(path ?? sessionFile ?? `${safeLabel(label)}-${id.slice(0, 8)}.json`);
    await this.#kept.saveAs(requested);
    this.recordAction({ action: 'save', path: requested });
    return requested;
  }

  /** Opens the control socket after the server has started, so that loading its code does not delay the start. */
  async #openEndpoint(): Promise<ControlServer | undefined> {
    const place = this.#kept.place;
    if (place === undefined) return undefined;
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const { serveLive } = await import('../control/control-server.ts');
      return await serveLive(this.interception, place);
    } catch {
      // The session works without the socket.
      return undefined;
    }
  }
}

/** Whether a signal ends the session. */
export function isEnding(signal: NodeJS.Signals): boolean {
  return signal !== 'SIGUSR1' && signal !== 'SIGUSR2';
}
