import { expect } from 'vitest';
import type { Json } from '../support/recordings.ts';
import { messageText } from './echo-talk.ts';

/** What is left of a conversation with a server that says everything back. */
export interface KeptTrace {
  readonly metas: readonly Json[];
  readonly messages: number;
  /** How many messages each gap stands for. */
  readonly gaps: readonly number[];
  /** How many messages there are altogether, kept and missing. */
  readonly accounted: number;
  readonly tornLines: number;
  readonly end: Json | undefined;
}

/** Reads a trace line by line, and expects every message at the place where it was said, as it was said. */
export function readKept(trace: string): KeptTrace {
  const metas: Json[] = [];
  const gaps: number[] = [];
  let messages = 0;
  let accounted = 0;
  let tornLines = 0;
  let end: Json | undefined;
  for (const text of trace.split('\n').filter((line) => line !== '')) {
    const line = parse(text);
    if (line === undefined) tornLines++;
    else if (line.type === 'meta') metas.push(line);
    else if (line.type === 'end') end = line;
    else if (line.kind === 'mcpreel.gap') {
      const { missed } = line.raw as { missed: number };
      gaps.push(missed);
      accounted += missed;
    } else if (line.type === undefined) {
      expect(line.dir).toBe(accounted % 2 === 0 ? 'in' : 'out');
      expect(text.endsWith(`,"raw":${messageText(accounted >> 1)}}`), text).toBe(true);
      messages++;
      accounted++;
    }
  }
  return { metas, messages, gaps, accounted, tornLines, end };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
