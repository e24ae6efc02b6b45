import type { Entry } from '../../model/entry.ts';
import type { SessionLog } from '../../present/session-log/session-log.ts';
import type { ShownEntries } from '../../present/session-log/shown-entries.ts';
import type { HeldMessages, HeldRow } from '../session/held-messages.ts';

/** One row of the list: an entry, or a held message, which is not recorded as forwarded yet. */
export type ListRow =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly index: number }
  | { readonly kind: 'held'; readonly held: HeldRow; readonly sequence: number };

/** A held message will be recorded at this index or later. */
type ListSelection = { readonly index: number } | { readonly heldId: string; readonly from: number };

/** The rows of the list and the selected one. The selection follows new entries until the user moves it. */
export class MessageList {
  readonly #log: SessionLog;
  readonly #shown: ShownEntries;
  readonly #held: HeldMessages;
  #selection: ListSelection | undefined;
  #top = 0;

  constructor(log: SessionLog, shown: ShownEntries, held: HeldMessages) {
    this.#log = log;
    this.#shown = shown;
    this.#held = held;
  }

  get isFollowing(): boolean {
    return this.#selection === undefined;
  }

  get length(): number {
    return this.#shown.length + this.#heldRows().length;
  }

  row(row: number): ListRow | undefined {
    const index = this.#shown.at(row);
    if (index !== undefined) {
      const entry = this.#log.entries.at(index);
      return entry && { kind: 'entry', entry, index };
    }
    const position = row - this.#shown.length;
    const held = this.#heldRows()[position];
    return held && { kind: 'held', held, sequence: this.#log.messageCount + position };
  }

  get selectedRow(): number {
    const held = this.#heldRows();
    const last = this.#shown.length + held.length - 1;
    // The message held longest is the next to decide on.
    if (this.#selection === undefined) return held.length > 0 ? this.#shown.length : last;
    if ('heldId' in this.#selection) {
      const { heldId, from } = this.#selection;
      const position = held.findIndex(({ id }) => id === heldId);
      if (position >= 0) return this.#shown.length + position;
      const index = this.#log.indexOf(heldId, from);
      if (index === undefined) {
        this.#selection = { heldId, from: this.#log.entries.length };
        return last;
      }
      this.#selection = { index };
    }
    return Math.min(last, this.#shown.rowOf(this.#selection.index).row);
  }

  get selected(): ListRow | undefined {
    return this.row(this.selectedRow);
  }

  moveBy(count: number): void {
    this.moveTo(this.selectedRow + count);
  }

  moveTo(row: number): void {
    const target = this.row(Math.max(0, Math.min(this.length - 1, row)));
    if (target !== undefined) {
      this.#selection =
        target.kind === 'entry' ? { index: target.index } : { heldId: target.held.id, from: this.#log.entries.length };
    }
  }

  /** Jumps to the end and follows new entries. */
  follow(): void {
    this.#selection = undefined;
  }

  /** Selects an entry if it is shown. */
  selectEntry(index: number): boolean {
    if (!this.#shown.rowOf(index).isShown) return false;
    this.#selection = { index };
    return true;
  }

  /** Selects the next held message, wrapping around; returns whether there is one. */
  selectNextHeld(): boolean {
    const held = this.#heldRows();
    const selected = this.selected;
    const at = selected?.kind === 'held' ? held.findIndex(({ id }) => id === selected.held.id) : -1;
    const next = held[(at + 1) % Math.max(1, held.length)];
    if (next === undefined) return false;
    this.#selection = { heldId: next.id, from: this.#log.entries.length };
    return true;
  }

  /** The first row of a window of this height that contains the selected one. */
  topFor(height: number): number {
    const selected = Math.max(0, this.selectedRow);
    const last = Math.max(0, this.length - height);
    let top = this.isFollowing ? last : Math.min(this.#top, last);
    if (selected < top) top = selected;
    else if (selected >= top + height) top = selected - height + 1;
    this.#top = Math.max(0, top);
    return this.#top;
  }

  #heldRows(): readonly HeldRow[] {
    const { rows } = this.#held;
    return this.#shown.filter === undefined ? rows : rows.filter(({ message }) => this.#shown.shows(message));
  }
}
