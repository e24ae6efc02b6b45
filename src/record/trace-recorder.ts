import { closeSync, writeSync } from 'node:fs';
import { endLine, entryLine, metaLine } from '../formats/trace-writer.ts';
import type { Entry } from '../model/entry.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { createNewFile, type NewFile } from '../state/new-file.ts';
import { reasonOf } from '../state/reason.ts';

export interface TraceRecorderOptions {
  readonly path: string;
  readonly header: SessionHeader;
  /** Told once when writing begins to fail. */
  readonly onFailure: (reason: string) => void;
}

/**
 * Appends a session to its trace while it happens. Each append is one write, so that a killed process loses at most
 * the write in flight. It never throws: while the disk refuses, entries are counted, and the trace tells of the gap as
 * soon as it can.
 */
export class TraceRecorder {
  readonly path: string;
  readonly #descriptor: number;
  readonly #onFailure: (reason: string) => void;
  #seq = 0;
  #missed = 0;
  #reason = '';
  /** A failed write may have left half a line; the next one must not continue it. */
  #torn = false;
  /** The system may give the number of a closed descriptor to another file: nothing may be written to it. */
  #closed = false;

  /** Creates the trace and writes its header. Throws where that cannot be done. */
  constructor({ path, header, onFailure }: TraceRecorderOptions) {
    const file: NewFile = createNewFile(path);
    this.path = file.path;
    this.#descriptor = file.descriptor;
    this.#onFailure = onFailure;
    this.#write(`${metaLine(header)}\n`, 0);
  }

  /** Entries that come after the end are not part of the session. */
  append(entries: readonly Entry[]): void {
    const [first] = entries;
    if (first === undefined || this.#closed) return;
    try {
      let text = this.#missed > 0 ? this.#gapLine(first.atMs) : '';
      for (const entry of entries) text += `${entryLine(entry, this.#seq++)}\n`;
      this.#write(text, entries.length);
    } catch (error) {
      // Lines that together are longer than a string can be.
      this.#miss(entries.length, error);
    }
  }

  close(footer: SessionFooter): void {
    const gap = this.#missed > 0 ? this.#gapLine(footer.endedAtMs) : '';
    this.#write(`${gap}${endLine(footer)}\n`, 0);
    this.#closed = true;
    try {
      closeSync(this.#descriptor);
    } catch {
      // The descriptor is gone either way.
    }
  }

  #gapLine(atMs: number): string {
    const raw = JSON.stringify({ missed: this.#missed, why: this.#reason });
    return `${entryLine({ kind: 'event', event: 'mcpreel.gap', atMs, raw }, this.#seq++)}\n`;
  }

  #write(text: string, entries: number): void {
    const bytes = Buffer.from(this.#torn ? `\n${text}` : text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#missed = 0;
      this.#torn = false;
    } catch (error) {
      this.#miss(entries, error);
      this.#torn ||= written > 0;
    }
  }

  #miss(entries: number, error: unknown): void {
    if (this.#missed === 0) this.#onFailure(reasonOf(error));
    this.#reason = reasonOf(error);
    this.#missed += entries;
  }
}
