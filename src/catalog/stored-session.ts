import { join } from 'node:path';
import { footerFrom, headerFrom } from '../formats/trace/trace-header.ts';
import { ObjectView } from '../json/object-view.ts';
import { inOwnMemory } from '../json/own-memory.ts';
import { type SessionFooter, type SessionHeader, unnamedHeader } from '../model/session.ts';
import { readEdges, type TraceEdges } from '../record/trace-edges.ts';
import { idDigitsIn } from './trace-names.ts';

/** One file of a trace. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** The facts about a recorded session that are known without reading the whole trace. */
export interface StoredSession {
  readonly header: SessionHeader;
  /** As in the header, which is made at each access. */
  readonly startedAtMs: number;
  /** Absent while the session is live, and for a session that was cut off. */
  readonly footer: SessionFooter | undefined;
  /** Whether the client only asked for the server's capabilities. */
  readonly isProbe: boolean;
  /** The number of recorded entries, if the trace numbers them. */
  readonly entries: number | undefined;
  /** All existing files of the trace, in order. */
  readonly files: readonly StoredFile[];
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** What many traces have in common, kept once. */
interface CommonFacts {
  /** The number of the part, from 1; `undefined` if the trace is a single file. */
  readonly part: number | undefined;
  /** Its id and start differ. Absent if the file does not contain the session's id. */
  readonly header: SessionHeader | undefined;
  /** Its times differ. */
  readonly footer: SessionFooter | undefined;
  readonly isProbe: boolean;
}

/**
 * What a session's summary needs of one file of its trace, which mostly is the whole trace. There may be tens of
 * thousands of them, so only what differs is kept of each.
 */
export class StoredPart implements StoredSession {
  readonly startedAtMs: number;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  readonly entries: number | undefined;
  readonly #folder: string;
  readonly #name: string;
  readonly #id: string;
  readonly #endedAtMs: number;
  readonly #durationMs: number | undefined;
  readonly #common: CommonFacts;

  constructor(folder: string, name: string, edges: TraceEdges, seen: SeenParts) {
    const { meta, end, bytes, modifiedAtMs, entries } = edges;
    const header = headerOf(name, edges);
    const footer = end && footerFrom(end);
    this.#folder = folder;
    this.#name = name;
    this.bytes = bytes;
    this.modifiedAtMs = Math.round(modifiedAtMs);
    this.entries = entries;
    this.startedAtMs = header?.startedAtMs ?? 0;
    this.#id = inOwnMemory(header?.id ?? '');
    this.#endedAtMs = footer?.endedAtMs ?? 0;
    this.#durationMs = footer?.durationMs;
    this.#common = seen.common({
      part: meta?.number('part'),
      header: header && commonHeader(header),
      footer: footer && commonFooter(footer),
      isProbe: ObjectView.of(footer?.keepsakes?.trace ?? '{}')?.value('probe') === true,
    });
  }

  get path(): string {
    return join(this.#folder, this.#name);
  }

  /** The number of the part, from 1; `undefined` if the trace is a single file. */
  get part(): number | undefined {
    return this.#common.part;
  }

  /** Whether the file contains the session's id. */
  get isNamed(): boolean {
    return this.#common.header !== undefined;
  }

  get id(): string {
    return this.#id;
  }

  get isProbe(): boolean {
    return this.#common.isProbe;
  }

  get header(): SessionHeader {
    const { header = unnamedHeader('') } = this.#common;
    const { label, transport, command, url, metadata, keepsakes } = header;
    return { id: this.#id, startedAtMs: this.startedAtMs, label, transport, command, url, metadata, keepsakes };
  }

  get footer(): SessionFooter | undefined {
    const { footer } = this.#common;
    if (footer === undefined) return undefined;
    const { exitCode, signal, reason } = footer;
    // Objects made by spreading survive several garbage collections, and there are many.
    return { endedAtMs: this.#endedAtMs, exitCode, signal, reason, durationMs: this.#durationMs };
  }

  get files(): readonly StoredFile[] {
    const { path, bytes, modifiedAtMs } = this;
    return [{ path, bytes, modifiedAtMs }];
  }
}

function commonHeader({ label, transport, command, url, metadata, keepsakes }: SessionHeader): SessionHeader {
  return { id: '', startedAtMs: 0, label, transport, command, url, metadata, keepsakes };
}

function commonFooter({ exitCode, signal, reason }: SessionFooter): SessionFooter {
  return { endedAtMs: 0, exitCode, signal, reason, durationMs: undefined };
}

/** Looks at files of traces, and shares what they have in common: most have the command and label of others. */
export class SeenParts {
  readonly #common = new Map<string, CommonFacts>();

  /** Returns `undefined` if the path is not a readable file. */
  see(folder: string, name: string): StoredPart | undefined {
    const edges = readEdges(join(folder, name));
    return edges && new StoredPart(folder, name, edges, this);
  }

  common(facts: CommonFacts): CommonFacts {
    // The text is a copy, while parts of the facts were cut from a line and would keep all of it in memory.
    const text = JSON.stringify(facts);
    const known = this.#common.get(text);
    if (known !== undefined) return known;
    const own = JSON.parse(text) as CommonFacts;
    this.#common.set(text, own);
    return own;
  }
}

/**
 * Builds a session's summary from the parts of its trace. Returns `undefined` if they do not contain the session's id.
 */
export function sessionOf(parts: readonly StoredPart[]): StoredSession | undefined {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined || !first.isNamed) return undefined;
  if (parts.length === 1) return first;
  const { footer, entries, modifiedAtMs, isProbe } = last;
  const files = parts.flatMap((part) => part.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { header: first.header, startedAtMs: first.startedAtMs, footer, isProbe, entries, files, bytes, modifiedAtMs };
}

function headerOf(name: string, { meta, modifiedAtMs }: TraceEdges): SessionHeader | undefined {
  const digits = idDigitsIn(name);
  if (meta?.has('id')) return headerFrom(meta);
  if (digits === undefined) return undefined;
  // After the disk was full, the file name may be all that exists.
  const header = meta === undefined ? { ...unnamedHeader(digits), startedAtMs: modifiedAtMs } : headerFrom(meta);
  return { ...header, id: digits };
}
