import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../../../test/support/calls/sample-calls.ts';
import { GrowingSpool } from '../../files/growing-spool.ts';
import { traceTexts } from '../../formats/trace/entry-block.ts';
import type { Entry, MessageEntry } from '../../model/entry.ts';
import { unnamedHeader } from '../../model/session.ts';
import { SessionLog } from './session-log.ts';

const MIB = 1 << 20;

// Without a collection first, garbage would count as used memory.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A call, its response and a stderr line whose strings are slices of one long text, as when a file is read. */
function readAtOnce(number: number, data: string): Entry[] {
  const id = String(number).padStart(12, '0');
  const request = `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"search-${id}","arguments":{"q":"${id}","data":"${data}"}}}`;
  const answer = `{"jsonrpc":"2.0","id":"${id}","result":{"data":"${data}"}}`;
  const chunk = Buffer.from(
    [`request-${id}`, `answer--${id}`, request, answer, 'stdio.stderr.', '{"text":"hm"}'].join('\n'),
  );
  const [asks = '', answers = '', requested = '', reported = '', event = '', raw = ''] = chunk.toString().split('\n');
  const about = { kind: 'message', atMs: 0 } as const;
  return [
    { ...about, sequence: 2 * number, proxyId: asks, direction: 'client_to_server', text: requested },
    {
      ...about,
      sequence: 2 * number + 1,
      proxyId: answers,
      direction: 'server_to_client',
      text: reported,
      correlatedId: asks,
    },
    { kind: 'event', event, atMs: 0, raw },
  ];
}

describe('a session that exceeds the memory limit', () => {
  it('keeps only the texts of messages that were used last in memory', () => {
    const data = 'x'.repeat(MIB / 2);
    const spool = new GrowingSpool();
    const log = new SessionLog({ maxInMemory: 4 * MIB });
    log.texts = traceTexts(unnamedHeader('s'), undefined, spool);
    log.add(readAtOnce(0, data));
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let number = 1; number <= 64; number++) log.add(readAtOnce(number, data));
    collect();
    expect((process.memoryUsage().heapUsed - before) / MIB).toBeLessThan(16);
    expect(log.messageCount).toBe(130);
    expect(log.entries.at(1)).toMatchObject({ text: expect.stringContaining(data) });
    spool.close();
  });

  it('finds every message and its outcome again', () => {
    const log = limitedLog(1000);
    for (let number = 0; number < 400; number++) log.add(readAtOnce(number, 'x'.repeat(number)));
    for (const number of [0, 7, 250, 399]) {
      const [request, answer, line] = readAtOnce(number, 'x'.repeat(number)) as [Entry, Entry, Entry];
      const { envelope: _, body: _body, ...restored } = log.entries.at(3 * number) as MessageEntry;
      expect(restored).toMatchObject(request);
      expect(log.entries.at(3 * number + 1)).toMatchObject(answer);
      expect(log.entries.at(3 * number + 2)).toMatchObject(line);
      expect(log.outcomeOf(request)).toMatchObject({ status: 'ok', request: 2 * number, answer: 2 * number + 1 });
      expect(log.placeOf(2 * number + 1)).toBe(3 * number + 1);
      expect(log.partnerOf(request)).toBe(3 * number + 1);
    }
    expect([...log.entries]).toHaveLength(1200);
  });

  it('keeps entries in memory that a line cannot hold', () => {
    const log = limitedLog(1000);
    const odd: Entry = { kind: 'other', type: undefined, atMs: 3, text: '[1]' };
    log.add([odd]);
    for (let number = 0; number < 400; number++) log.add(readAtOnce(number, 'x'));
    expect(log.entries.at(0)).toEqual(odd);
  });
});

it('marks a response that answers no open request as an orphan', () => {
  const log = new SessionLog();
  const request = sampleMessage('{"jsonrpc":"2.0","id":1,"method":"ping"}', { sequence: 0 });
  const answer = { direction: 'server_to_client', correlatedId: request.proxyId } as const;
  log.add([
    request,
    sampleMessage('{"jsonrpc":"2.0","id":1,"result":{}}', { sequence: 1, proxyId: 'n', ...answer }),
    sampleMessage('{"jsonrpc":"2.0","id":9,"result":{}}', { sequence: 2, proxyId: 'o', direction: 'server_to_client' }),
  ]);
  const orphans = [...log.entries].map((entry) => entry.kind === 'message' && log.isOrphan(entry));
  expect(orphans).toEqual([false, false, true]);
});

/** A log whose texts go to a buffer. */
function limitedLog(maxBytes: number): SessionLog {
  const log = new SessionLog({ maxInMemory: maxBytes });
  let stored = Buffer.alloc(0);
  log.texts = traceTexts(unnamedHeader('s'), undefined, {
    append: (bytes) => {
      const start = stored.length;
      stored = Buffer.concat([stored, bytes]);
      return start;
    },
    readNow: (start, end) => stored.subarray(start, end),
  });
  return log;
}
