import { callPairs } from './call-pairs.ts';
import { endingPairs, modernPairs } from './ending-pairs.ts';
import { httpPairs } from './http-pairs.ts';
import { messagePairs } from './message-pairs.ts';
import type { Pairs } from './pair.ts';
import { toolPairs } from './tool-pairs.ts';

/** For every finding code: sessions that must show it, and sessions that must not. */
export const PAIRS: Pairs = {
  ...messagePairs,
  ...callPairs,
  ...httpPairs,
  ...toolPairs,
  ...endingPairs,
  ...modernPairs,
};
