import { Buffer } from 'node:buffer';

/** Decides whether an input still shows the fault. */
export type ShowsFault = (input: Uint8Array) => Promise<boolean>;

/** Shrinks an input that shows a fault by removing ever smaller parts, with at most `mostTries` tries. */
export async function minimise(input: Uint8Array, showsFault: ShowsFault, mostTries: number): Promise<Uint8Array> {
  let smallest = input;
  let tries = mostTries;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.length && tries > 0; ) {
      const without = new Uint8Array(Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]));
      tries--;
      if (await showsFault(without)) smallest = without;
      else at += size;
    }
  }
  return smallest;
}
