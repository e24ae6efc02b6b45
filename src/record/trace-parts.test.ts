import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { partText, type TraceShape, traceText } from '../../test/support/trace-texts.ts';
import { openSession } from '../catalog/open-session.ts';
import { entriesOf } from '../model/session.ts';
import { partPath, partsOf } from './trace-parts.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Writes numbered parts of two entries each, and returns their names. */
function writeParts(numbers: readonly number[], shape: TraceShape = {}, first = 'x.jsonl'): string[] {
  return numbers.map((n) => basename(write(partPath(first, n), partText(n, [2 * n - 2, 2 * n], shape))));
}

async function namesOf(name: string): Promise<string[]> {
  return (await partsOf(join(folder, name))).map((path) => basename(path));
}

async function methodsOf(name: string): Promise<string[]> {
  const session = await openSession(join(folder, name));
  const sent: string[] = [];
  for await (const entry of entriesOf(session)) {
    sent.push(entry.kind === 'message' ? (/"m\d+"/.exec(entry.text)?.[0].slice(1, -1) ?? '') : entry.kind);
  }
  return sent;
}

describe('partPath', () => {
  it.each([
    ['/a/x.jsonl', 1, '/a/x.jsonl'],
    ['/a/x.jsonl', 2, '/a/x.part-2.jsonl'],
    ['/a.b/x', 12, '/a.b/x.part-12'],
    ['x.part-2.jsonl', 3, 'x.part-2.part-3.jsonl'],
  ])('builds the path for %s, number %i', (first, number, path) => {
    expect(partPath(first, number)).toBe(path);
  });
});

describe('the parts of a trace', () => {
  it('finds the parts by the path of any of them, ordered by number', async () => {
    const names = writeParts([1, 2, 3, 10]);
    for (const name of names) expect(await namesOf(name)).toEqual(names);
  });

  it('finds the parts by the path of the first, even if it was removed', async () => {
    const names = writeParts([3, 4]);
    expect(await namesOf('x.jsonl')).toEqual(names);
  });

  it('finds a part whose usual name was already taken', async () => {
    const [first = ''] = writeParts([1]);
    write('x.part-2-2.jsonl', partText(2, [2, 4]));
    expect(await namesOf(first)).toEqual([first, 'x.part-2-2.jsonl']);
    expect(await namesOf('x.part-2-2.jsonl')).toEqual([first, 'x.part-2-2.jsonl']);
  });

  it('finds the parts if the first is named like a part of another trace', async () => {
    writeParts([1, 3], { id: 'ffff0000-0000-4000-8000-000000000000' });
    const names = writeParts([1, 2], {}, 'x.part-2.jsonl');
    for (const name of names) expect(await namesOf(name)).toEqual(names);
  });

  it('excludes parts of other sessions, and picks the latest session if the first part is missing', async () => {
    const old = writeParts([1, 2, 3], { startedAt: '2025-01-01T00:00:00.000Z' });
    write('x.part-2.jsonl', partText(2, [2, 4], { id: 'ffff0000-0000-4000-8000-000000000000' }));
    expect(await namesOf('x.jsonl')).toEqual(['x.jsonl', 'x.part-3.jsonl']);
    expect(await namesOf('x.part-2.jsonl')).toEqual(['x.part-2.jsonl']);
    rmSync(join(folder, old[0] ?? ''));
    expect(await namesOf('x.jsonl')).toEqual(['x.part-2.jsonl']);
  });

  it.each([
    ['a trace that was never rotated', traceText()],
    ['something else', '{"a":1}'],
    ['nothing', ''],
  ])('ignores part files next to %s', async (_, text) => {
    write('x.jsonl', text);
    writeParts([2]);
    expect(await namesOf('x.jsonl')).toEqual(['x.jsonl']);
  });

  it('treats a renamed part as a single file', async () => {
    writeParts([1, 2]);
    write('kept.jsonl', partText(2, [2, 4]));
    expect(await namesOf('kept.jsonl')).toEqual(['kept.jsonl']);
  });

  it('finds parts with a long meta line', async () => {
    const names = writeParts([1, 2], { meta: { metadata: { note: 'n'.repeat(100_000) } } });
    expect(await namesOf('x.jsonl')).toEqual(names);
  });
});

describe('a session in parts', () => {
  it('opens a session in parts as a whole by the path of any part', async () => {
    for (const name of writeParts([1, 2, 3])) {
      expect(await methodsOf(name)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
    }
  });

  it('reads the next part after one that was cut off within a line', async () => {
    writeParts([1, 2]);
    write('x.jsonl', `${partText(1, [0, 2])}{"t":"2026-03-04T10:00:09`);
    expect(await methodsOf('x.jsonl')).toEqual(['m0', 'm1', 'm2', 'm3']);
  });

  it('reports the gap where parts are missing', async () => {
    writeParts([2, 4]);
    expect(await methodsOf('x.part-4.jsonl')).toEqual(['event', 'm2', 'm3', 'event', 'm6', 'm7']);
  });

  it('reads only the one part if another format is forced', async () => {
    writeParts([1, 2]);
    const read = async (): Promise<unknown> => openSession(join(folder, 'x.jsonl'), { format: 'jsonrpc' });
    await expect(read()).rejects.toThrow(/^No JSON-RPC message in \S+x\.jsonl: it is a JSON object/);
  });
});
