import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusBytes, corpusNames } from '../../../test/contract/files.ts';
import { sourceOf } from '../../../test/contract/memory-source.ts';
import { traceText } from '../../../test/contract/random-files.ts';
import { anySession } from '../../../test/contract/random-sessions.ts';
import { BatchPlaces, traceTexts } from '../../formats/trace/entry-block.ts';
import { trace } from '../../formats/trace/trace.ts';
import type { Entry } from '../../model/entry.ts';
import { type RecordedSession, unnamedHeader } from '../../model/session.ts';
import type { EntryTexts } from './entry-blocks.ts';
import { SessionLog } from './session-log.ts';

/** A log that keeps almost nothing in memory, and blocks of so few entries. */
const smallLog = (blockEntries: number): SessionLog => new SessionLog({ maxInMemory: 1, blockEntries });

/** Counts reads, so that a test cannot pass because everything stayed in memory. */
function bufferSpool(): NonNullable<EntryTexts['spool']> & { reads: number } {
  let stored = new Uint8Array(0);
  const spool = {
    reads: 0,
    append: (bytes: Uint8Array): number => {
      const start = stored.length;
      stored = Uint8Array.from([...stored, ...bytes]);
      return start;
    },
    readNow: (start: number, end: number): Uint8Array => {
      spool.reads++;
      return stored.slice(start, end);
    },
  };
  return spool;
}

const content = (entries: Iterable<Entry>): object[] =>
  [...entries].map((entry) => {
    if (entry.kind !== 'message') return entry;
    const { envelope: _envelope, body: _body, ...rest } = entry;
    return JSON.parse(JSON.stringify(rest)) as object;
  });

async function entriesBothWays(bytes: Uint8Array, blockEntries: number): Promise<[object[], object[], SessionLog]> {
  const source = sourceOf(bytes);
  const places = new BatchPlaces();
  const session = await trace.read(source, { onProblem: () => undefined, onPlaced: places.note });
  const log = smallLog(blockEntries);
  log.texts = traceTexts(session.header, source);
  const read: Entry[] = [];
  for await (const batch of session.batches()) {
    read.push(...batch);
    log.add(batch, places.take());
  }
  return [content(read), content(log.entries), log];
}

describe('entries that are read from the recording again', () => {
  it('are those that were read before, for any trace', async () => {
    await fc.assert(
      fc.asyncProperty(traceText, fc.integer({ min: 1, max: 4 }), async (text, blockEntries) => {
        const [read, again] = await entriesBothWays(new TextEncoder().encode(text), blockEntries).catch(() => [[], []]);
        expect(again).toEqual(read);
      }),
    );
  });

  it.each(corpusNames('trace').filter((name) => name.endsWith('.jsonl')))('are those of %s', async (name) => {
    const bytes = corpusBytes(name.includes('/') ? name : `trace/${name}`);
    for (const blockEntries of [1, 2, 3]) {
      const [read, again] = await entriesBothWays(bytes, blockEntries).catch(() => [[], []]);
      expect(again).toEqual(read);
    }
  });

  it('name the request of a response whose line does not', async () => {
    const lines = ['{"v":1,"type":"meta","startedAt":"2026-05-12T23:00:00.000Z","label":"x","command":["x"]}'];
    for (let id = 0; id < 6; id++) {
      for (const [dir, text] of [
        ['in', `"method":"ping"`],
        ['out', '"result":{}'],
      ]) {
        lines.push(`{"t":"2026-05-12T23:00:01.000Z","dir":"${dir}","raw":{"jsonrpc":"2.0","id":${id},${text}}}`);
      }
    }
    const [read, again, log] = await entriesBothWays(new TextEncoder().encode(lines.join('\n')), 1);
    expect(again).toEqual(read);
    expect(again[7]).toMatchObject({ correlatedId: (read[6] as { proxyId: string }).proxyId });
    expect(log.partnerOf(log.entries.at(7) as Entry)).toBe(6);
  });

  it('say so if the recording has changed meanwhile', async () => {
    const line = (id: number): string =>
      `{"t":"2026-05-12T23:00:01.000Z","dir":"in","seq":${id},"id":"m${id}","raw":{"jsonrpc":"2.0","id":${id},"method":"ping"}}`;
    const bytes = new TextEncoder().encode([0, 1, 2, 3].map(line).join('\n'));
    const source = sourceOf(bytes);
    const places = new BatchPlaces();
    const session = await trace.read(source, { onProblem: () => undefined, onPlaced: places.note });
    const log = smallLog(1);
    log.texts = traceTexts(session.header, { readNow: () => new TextEncoder().encode('no longer\n') });
    for await (const batch of session.batches()) log.add(batch, places.take());
    expect(log.entries.at(0)).toMatchObject({ sequence: 0, text: expect.stringContaining('has changed') });
    expect(log.entries.at(3)).toMatchObject({ sequence: 3, text: expect.stringContaining('ping') });
  });
});

describe('entries that are written to a spool', () => {
  it('are those that were added, for any session', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.integer({ min: 1, max: 4 }), async (session: RecordedSession, blockEntries) => {
        const spool = bufferSpool();
        const log = smallLog(blockEntries);
        log.texts = traceTexts(session.header, undefined, spool);
        const added: Entry[] = [];
        for await (const batch of session.batches()) {
          added.push(...batch);
          log.add(batch);
        }
        expect(content(log.entries)).toEqual(content(added));
        for (const [index, entry] of added.entries()) {
          if (entry.kind === 'message') expect(log.placeOf(entry.sequence)).toBe(index);
        }
      }),
    );
  });

  it('stay in memory if the spool is full', () => {
    const log = smallLog(1);
    const full = (): never => {
      throw new Error('ENOSPC');
    };
    log.texts = traceTexts(unnamedHeader('s'), undefined, { append: full, readNow: full });
    const about = { kind: 'message', atMs: 0, direction: 'client_to_server', text: '{"a":1}' } as const;
    log.add(Array.from({ length: 9 }, (_, sequence) => ({ ...about, sequence, proxyId: `m${sequence}` })));
    expect([...log.entries].map((entry) => entry.kind === 'message' && entry.proxyId)).toContain('m0');
  });
});
