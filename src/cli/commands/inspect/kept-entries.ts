import { ownMessage } from '../../../analysis/calls/call-memory.ts';
import { inOwnMemory } from '../../../json/own-memory.ts';
import type { Entry } from '../../../model/entry.ts';

/** Characters of text that are kept at most. */
const MAX_CHARACTERS = 1 << 22;
const MAX_ENTRIES = 10_000;

/** Keeps entries as long as they are few, so that whoever wants them again need not read a large file for them. */
export class KeptEntries {
  #entries: Entry[] | undefined = [];
  #characters = 0;

  add(entries: readonly Entry[]): void {
    if (this.#entries === undefined) return;
    for (const entry of entries) this.#characters += entry.kind === 'event' ? entry.raw.length : entry.text.length;
    const areFew = this.#characters <= MAX_CHARACTERS && this.#entries.length + entries.length <= MAX_ENTRIES;
    if (areFew) this.#entries.push(...entries.map(ownEntry));
    else this.#entries = undefined;
  }

  /** All that was added, unless that was too much. */
  get entries(): readonly Entry[] | undefined {
    return this.#entries;
  }
}

/** A copy that does not keep alive what the entry was read from. */
function ownEntry(entry: Entry): Entry {
  switch (entry.kind) {
    case 'message':
      return ownMessage(entry);
    case 'event':
      return { ...entry, raw: inOwnMemory(entry.raw) };
    case 'other':
      return { ...entry, text: inOwnMemory(entry.text) };
  }
}
