import { expect, it } from 'vitest';
import { type JournalHead, journalHead, readJournalHead } from './journal-head.ts';

const HEAD: JournalHead = {
  owner: { pid: 1, start: '2' },
  version: '1.0.0',
  header: {
    id: 'f',
    startedAtMs: 1,
    label: 'ä\n',
    transport: 'stdio',
    command: ['x'],
    url: undefined,
    metadata: '{}',
  },
  trace: '/t.jsonl',
  keepsTrace: true,
  maxMessageBytes: 5,
  redaction: { mode: 'secrets', keys: [], values: [], paths: [], salt: 's', exactValues: ['é'] },
};

it('reads the head, and reports where it ends', () => {
  const text = journalHead(HEAD);
  const bytes = Buffer.from(`${text}J\n and more`);
  expect(readJournalHead(bytes)).toEqual({ head: HEAD, bytes: Buffer.byteLength(text) });
});

it('tells a head that is cut off at any byte', () => {
  const bytes = Buffer.from(journalHead(HEAD));
  for (let size = 0; size < bytes.length; size++) {
    expect(readJournalHead(bytes.subarray(0, size)), String(size)).toEqual({ fault: 'cut off' });
  }
});

it.each(['mcpreel-journal/2\n{}\n', 'something else that is long enough\n'])('does not read %j', (text) => {
  expect(readJournalHead(Buffer.from(text))).toEqual({ fault: 'unknown version' });
});
