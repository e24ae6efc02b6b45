import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../../test/support/calls/sample-calls.ts';
import type { Entry } from '../model/entry.ts';
import { wordsOf } from './row-words.ts';
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
  it('keeps every row but only the text of the newest messages', () => {
    const data = 'x'.repeat(MIB / 2);
    const log = new SessionLog(4 * MIB);
    log.add(readAtOnce(0, data));
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let number = 1; number <= 64; number++) log.add(readAtOnce(number, data));
    collect();
    expect((process.memoryUsage().heapUsed - before) / MIB).toBeLessThan(16);
    expect(log.messageCount).toBe(130);
    expect(log.entries.at(-2)).toMatchObject({ text: expect.stringContaining(data) });
  });

  it('keeps as many short messages as fit in the limit', () => {
    const log = new SessionLog(1000);
    const about = { kind: 'message', atMs: 0, direction: 'client_to_server', text: '{"a":10}' } as const;
    log.add(Array.from({ length: 200 }, (_, sequence) => ({ ...about, sequence, proxyId: `m${sequence}` })));
    const whole = log.entries.filter((entry) => entry.kind === 'message' && entry.text === about.text);
    expect(whole).toHaveLength(1000 / about.text.length);
  });

  it('keeps the summary and the outcome of messages whose text was discarded', () => {
    const log = new SessionLog(1000);
    const [request, answer] = readAtOnce(7, 'x') as [Entry, Entry];
    log.add([request, answer]);
    log.add(readAtOnce(8, 'x'.repeat(2000)));
    const [oldest] = log.entries;
    expect(oldest).toMatchObject({
      kind: 'message',
      text: expect.stringContaining('no longer in memory'),
      proxyId: 'request-000000000007',
    });
    expect(wordsOf(oldest as Entry)).toEqual(wordsOf(request));
    expect(wordsOf(request)).toMatchObject({ name: 'search-000000000007', brief: '000000000007', isRequest: true });
    expect(log.outcomeOf(oldest as Entry)).toMatchObject({ status: 'ok', name: 'search-000000000007' });
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
  expect(log.entries.map((entry) => entry.kind === 'message' && log.isOrphan(entry))).toEqual([false, false, true]);
});
