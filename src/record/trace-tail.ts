import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { readAt } from '../files/file-source.ts';
import { createNewFile } from '../files/new-file.ts';
import { metaLine } from '../formats/trace/trace-writer.ts';
import { ObjectView } from '../json/object-view.ts';
import type { SessionHeader } from '../model/session.ts';

const { O_RDWR, O_NOFOLLOW = 0 } = constants;
const LINE_FEED = 0x0a;
const BLOCK_BYTES = 1 << 16;
/** Lines are written together up to this many characters. */
const BATCH = 1 << 20;

/** The end of a trace whose session was killed, for lines that are missing there. */
export class TraceTail {
  readonly path: string;
  /** Whether its last line was not complete. */
  readonly wasTorn: boolean;
  readonly #descriptor: number;
  #bytes: number;
  #lines = '';

  /** Opens a trace and cuts off a line that is not complete. Throws if that is impossible. */
  static open(path: string): TraceTail {
    const descriptor = openSync(path, O_RDWR | O_NOFOLLOW);
    try {
      if (!fstatSync(descriptor).isFile()) throw new Error('it is not a file');
      const { size } = fstatSync(descriptor);
      const bytes = wholeLinesOf(descriptor, size);
      return new TraceTail(path, descriptor, bytes, bytes < size);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** Creates a trace that begins with this header. */
  static create(path: string, header: SessionHeader): TraceTail {
    const file = createNewFile(path);
    const tail = new TraceTail(file.path, file.descriptor, 0, false);
    tail.append(metaLine(header));
    return tail;
  }

  private constructor(path: string, descriptor: number, bytes: number, wasTorn: boolean) {
    this.path = path;
    this.wasTorn = wasTorn;
    this.#descriptor = descriptor;
    this.#bytes = bytes;
  }

  append(line: string): void {
    this.#lines += `${line}\n`;
    if (this.#lines.length >= BATCH) this.flush();
  }

  /** Throws if the lines cannot be written. */
  flush(): void {
    const bytes = Buffer.from(this.#lines);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written, this.#bytes + written);
    }
    this.#bytes += bytes.length;
    this.#lines = '';
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Ends the file after its last whole line, and returns its size. */
function wholeLinesOf(descriptor: number, size: number): number {
  const end = endOfLines(descriptor, size);
  if (end === size) return size;
  const rest = readAt(descriptor, end, size);
  if (ObjectView.of(rest.toString()) === undefined) {
    ftruncateSync(descriptor, end);
    return end;
  }
  // Only its line feed is missing.
  writeSync(descriptor, Uint8Array.of(LINE_FEED), 0, 1, size);
  return size + 1;
}

function endOfLines(descriptor: number, size: number): number {
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const at = readAt(descriptor, start, end).lastIndexOf(LINE_FEED);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}
