import { basename } from 'node:path';
import { footerFrom, headerFrom } from '../formats/trace/trace-header.ts';
import { ObjectView } from '../json/object-view.ts';
import { inOwnMemory } from '../json/own-memory.ts';
import { type SessionFooter, type SessionHeader, unnamedHeader } from '../model/session.ts';
import type { TraceEdges } from '../record/trace-edges.ts';
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

/** What a session's summary needs of one file of its trace. */
export interface SeenPart extends StoredFile {
  /** The number of the part, from 1; `undefined` if the trace is a single file. */
  readonly part: number | undefined;
  /** The id in the meta line. */
  readonly id: string | undefined;
  /** Absent if the file does not contain the session's id. */
  readonly header: SessionHeader | undefined;
  readonly footer: SessionFooter | undefined;
  readonly isProbe: boolean;
  readonly entries: number | undefined;
}

/**
 * Reduces files of traces to what their summaries need. A string that was cut from a line keeps the whole line in
 * memory, and most sessions have the command and label of others, so strings are copied, and those are shared.
 */
export class SeenParts {
  readonly #shared = new Map<string, string>();
  readonly #commands = new Map<string, readonly string[]>();

  see(path: string, edges: TraceEdges): SeenPart {
    const { meta, end, bytes, modifiedAtMs, entries } = edges;
    const header = headerOf(path, edges);
    const footer = end && footerFrom(end);
    return {
      path,
      bytes,
      modifiedAtMs,
      part: meta?.number('part'),
      id: meta && inOwnMemory(meta.string('id')),
      header: header && this.#header(header),
      footer: footer && this.#footer(footer),
      isProbe: ObjectView.of(footer?.keepsakes?.trace ?? '{}')?.value('probe') === true,
      entries,
    };
  }

  #header(header: SessionHeader): SessionHeader {
    const { id, label, transport, command, url, metadata, keepsakes } = header;
    const trace = this.#sharedText(keepsakes?.trace);
    return {
      ...header,
      id: inOwnMemory(id),
      label: this.#sharedText(label) ?? label,
      transport: this.#sharedText(transport) ?? transport,
      metadata: this.#sharedText(metadata) ?? metadata,
      url: this.#sharedText(url),
      command: this.#command(command),
      keepsakes: trace === undefined ? undefined : { trace },
    };
  }

  #footer({ endedAtMs, exitCode, signal, reason, durationMs }: SessionFooter): SessionFooter {
    return {
      endedAtMs,
      exitCode,
      signal: this.#sharedText(signal),
      reason: this.#sharedText(reason),
      durationMs,
    };
  }

  #command(command: readonly string[]): readonly string[] {
    const text = JSON.stringify(command);
    const shared = this.#commands.get(text) ?? command.map(inOwnMemory);
    this.#commands.set(text, shared);
    return shared;
  }

  #sharedText(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const known = this.#shared.get(text);
    if (known !== undefined) return known;
    const own = inOwnMemory(text);
    this.#shared.set(own, own);
    return own;
  }
}

/**
 * Builds a session's summary from the parts of its trace. Returns `undefined` if they do not contain the session's id.
 */
export function sessionOf(parts: readonly SeenPart[]): StoredSession | undefined {
  const header = parts[0]?.header;
  const last = parts.at(-1);
  if (header === undefined || last === undefined) return undefined;
  const { footer, entries, modifiedAtMs } = last;
  const files = parts.map((part) => ({ path: part.path, bytes: part.bytes, modifiedAtMs: part.modifiedAtMs }));
  return {
    header,
    footer,
    isProbe: last.isProbe,
    entries,
    files,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    modifiedAtMs,
  };
}

function headerOf(path: string, { meta, modifiedAtMs }: TraceEdges): SessionHeader | undefined {
  const digits = idDigitsIn(basename(path));
  if (meta?.has('id')) return headerFrom(meta);
  if (digits === undefined) return undefined;
  // After the disk was full, the file name may be all that exists.
  const header = meta === undefined ? { ...unnamedHeader(digits), startedAtMs: modifiedAtMs } : headerFrom(meta);
  return { ...header, id: digits };
}
