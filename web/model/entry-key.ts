/** Identifies a shown entry while the page is open: its lane and its index there. */
export type EntryKey = number;

const LANE_SPAN = 2 ** 32;

export function keyOf(lane: number, index: number): EntryKey {
  return lane * LANE_SPAN + index;
}

export function laneOf(key: EntryKey): number {
  return Math.floor(key / LANE_SPAN);
}

export function indexOf(key: EntryKey): number {
  return key % LANE_SPAN;
}

/** The key as written in a link. */
export function printKey(key: EntryKey): string {
  return `${laneOf(key)}.${indexOf(key)}`;
}

export function readKey(text: string): EntryKey | undefined {
  const found = /^(\d{1,3})\.(\d{1,9})$/.exec(text);
  return found === null ? undefined : keyOf(Number(found[1]), Number(found[2]));
}
