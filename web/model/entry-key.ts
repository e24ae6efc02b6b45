/** Names an entry of all that are shown, for as long as the page is open: which lane, and which entry of it. */
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

/** A key as it stands in a link. */
export function printKey(key: EntryKey): string {
  return `${laneOf(key)}.${indexOf(key)}`;
}

export function readKey(text: string): EntryKey | undefined {
  const found = /^(\d{1,3})\.(\d{1,9})$/.exec(text);
  return found === null ? undefined : keyOf(Number(found[1]), Number(found[2]));
}
