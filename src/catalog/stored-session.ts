import { basename } from 'node:path';
import { footerFrom, headerFrom } from '../formats/trace/trace-header.ts';
import { ObjectView } from '../json/object-view.ts';
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

/** A file of a trace with its first and last lines. */
export interface SeenPart {
  readonly path: string;
  readonly edges: TraceEdges;
}

/**
 * Builds a session's summary from the parts of its trace. Returns `undefined` if they do not contain the session's id.
 */
export function sessionOf(parts: readonly SeenPart[]): StoredSession | undefined {
  const first = parts[0];
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const header = headerOf(first);
  if (header === undefined) return undefined;
  const { end, entries, modifiedAtMs } = last.edges;
  const footer = end && footerFrom(end);
  const files = parts.map(({ path, edges }) => ({ path, bytes: edges.bytes, modifiedAtMs: edges.modifiedAtMs }));
  return {
    header,
    footer,
    isProbe: ObjectView.of(footer?.keepsakes?.trace ?? '{}')?.value('probe') === true,
    entries,
    files,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    modifiedAtMs,
  };
}

function headerOf({ path, edges }: SeenPart): SessionHeader | undefined {
  const { meta } = edges;
  const digits = idDigitsIn(basename(path));
  if (meta?.has('id')) return headerFrom(meta);
  if (digits === undefined) return undefined;
  // After the disk was full, the file name may be all that exists.
  const header = meta === undefined ? { ...unnamedHeader(digits), startedAtMs: edges.modifiedAtMs } : headerFrom(meta);
  return { ...header, id: digits };
}
