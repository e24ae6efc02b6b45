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

/** What is known of a recorded session without reading all of it. */
export interface StoredSession {
  readonly header: SessionHeader;
  /** Absent while the session is live, and for one that was cut short. */
  readonly footer: SessionFooter | undefined;
  /** Whether the client only asked what the server can do. */
  readonly isProbe: boolean;
  /** How many entries were recorded, if the trace numbers them. */
  readonly entries: number | undefined;
  /** All that exist, in their order. */
  readonly files: readonly StoredFile[];
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** A file of a trace and what its ends tell. */
export interface SeenPart {
  readonly path: string;
  readonly edges: TraceEdges;
}

/** What the parts of one trace tell of their session; `undefined` where they do not even tell its id. */
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
  // A full disk may leave no more than the name.
  const header = meta === undefined ? { ...unnamedHeader(digits), startedAtMs: edges.modifiedAtMs } : headerFrom(meta);
  return { ...header, id: digits };
}
