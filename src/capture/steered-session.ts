import { resolve } from 'node:path';
import { safeLabel } from '../catalog/trace-names.ts';
import type { ControlServer } from '../control/control-server.ts';
import type { Entry } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';
import { EntryMaker, eventEntry } from './entry-maker.ts';
import { Interception } from './interception.ts';
import { KeptSession } from './kept-session.ts';
import type { SessionEnding } from './session-header.ts';

/** A running session: what is kept of it, and the door at which others can watch and steer it. */
export class SteeredSession {
  readonly maker: EntryMaker;
  readonly interception: Interception;
  readonly #header: SessionHeader;
  readonly #options: KeepingOptions;
  readonly #deps: SessionDeps;
  readonly #redactor: Redactor | undefined;
  readonly #kept: KeptSession;
  readonly #endpoint: Promise<ControlServer | undefined>;

  /** Throws only where the session must be recorded and cannot be. `onFailure` hears of a recording that fails. */
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

  /** Whether the client has done nothing but ask what the server can do. */
  get isProbeOnly(): boolean {
    return this.#kept.isProbeOnly;
  }

  /** Whether the client waits for an answer, as far as that is known. */
  get hasOpenRequests(): boolean {
    return this.#kept.hasOpenRequests;
  }

  /** Writes what there is into the session file: this process may be killed before the session ends. */
  saveMeanwhile(): void {
    this.#kept.saveMeanwhile();
  }

  append(entries: readonly Entry[]): void {
    this.#kept.append(entries);
  }

  recordAction(raw: Readonly<Record<string, unknown>>, conversation?: number): void {
    this.append([eventEntry('mcpreel.action', this.#deps.nowMs(), raw, conversation)]);
  }

  /** Somebody wants the session to end, most likely: then what is held goes on. */
  signalled(signal: NodeJS.Signals): void {
    if (isEnding(signal)) this.interception.release();
    this.#kept.signalled();
  }

  /** Resolves when everything is kept, or the time for it is up. */
  async end(status: SessionEnding): Promise<void> {
    this.interception.end();
    await Promise.all([this.#kept.end(status), this.#endpoint.then((endpoint) => endpoint?.close())]);
  }

  async #save(path: string | undefined): Promise<string> {
    const { sessionFile } = this.#options;
    // A name may hold a secret like everything else, and the command that it is made of even more so.
    const { label, id } = this.#redactor?.header(this.#header) ?? this.#header;
    const requested = resolve(path ?? sessionFile ?? `${safeLabel(label)}-${id.slice(0, 8)}.json`);
    await this.#kept.saveAs(requested);
    this.recordAction({ action: 'save', path: requested });
    return requested;
  }

  /** The door is opened when the server runs: what it takes is loaded then. */
  async #openEndpoint(): Promise<ControlServer | undefined> {
    const place = this.#kept.place;
    if (place === undefined) return undefined;
    await new Promise((idleQueue) => setImmediate(idleQueue));
    try {
      const { serveLive } = await import('../control/control-server.ts');
      return await serveLive(this.interception, place);
    } catch {
      // The session does without.
      return undefined;
    }
  }
}

/** Some signals are no reason to end. */
export function isEnding(signal: NodeJS.Signals): boolean {
  return signal !== 'SIGUSR1' && signal !== 'SIGUSR2';
}
