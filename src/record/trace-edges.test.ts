import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { partText, SESSION_ID, traceText } from '../../test/support/trace-texts.ts';
import { readEdges, readMeta } from './trace-edges.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): string {
  writeFileSync(join(folder, 'x.jsonl'), text);
  return join(folder, 'x.jsonl');
}

function seen(text: string): { id: string | undefined; exitCode: unknown; entries: number | undefined } {
  const edges = readEdges(write(text));
  return { id: edges?.meta?.string('id'), exitCode: edges?.end?.value('exitCode'), entries: edges?.entries };
}

describe('the edges of a trace', () => {
  it.each<[what: string, text: string, entries: number | undefined, exitCode?: number]>([
    ['a whole one', traceText({ entries: [0, 3], end: { exitCode: 3 } }), 3, 3],
    ['one that is being written', traceText({ entries: [0, 3] }), 3],
    ['one that was cut off within a line', traceText({ entries: [0, 3] }).slice(0, -9), 2],
    ['one in which nothing was said yet', traceText({ entries: [0, 0] }), 0],
    ['one that ended at once', traceText({ entries: [0, 0], end: { exitCode: 1 } }), 0, 1],
    ['a part that has just begun', partText(3, [40, 40]), 40],
    ['one of a producer who does not number', traceText({ end: {} }).replaceAll(/"seq":\d,/g, ''), undefined, 0],
    ['one with a long header', traceText({ meta: { env: 'e'.repeat(100_000) } }), 2],
    ['one with a long last message', traceText().replace('"m1"', `"${'m'.repeat(100_000)}"`), 2],
    ['one with garbage at its end', `${traceText({ end: {} })}\n\u0000\u0000\n`, 2, 0],
  ])('reads the edges of %s', (_, text, entries, exitCode) => {
    expect(seen(text)).toEqual({ id: SESSION_ID, entries, exitCode });
  });

  it('reads only the start and the end of a trace of any size', () => {
    const path = write(traceText({ entries: [0, 1] }));
    // A sparse file of 32 GiB, too large to read in time.
    truncateSync(path, 2 ** 35);
    appendFileSync(
      path,
      `\n${traceText({ entries: [700, 701], end: {} })
        .split('\n')
        .slice(1)
        .join('\n')}`,
    );
    const edges = readEdges(path);
    expect([edges?.meta?.string('id'), edges?.end?.has('exitCode'), edges?.entries]).toEqual([SESSION_ID, true, 701]);
  });

  it('returns nothing for a missing file, a folder or another format', () => {
    expect(readEdges(join(folder, 'nothing'))).toBeUndefined();
    expect(readEdges(folder)).toBeUndefined();
    for (const text of ['', '\n', '{"a":1}', '[]', `{"x":"${'x'.repeat(10_000)}"}`]) {
      expect(readMeta(write(text))).toBeUndefined();
    }
  });
});
