import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageEntry } from '../../model/entry.ts';
import { emptySession, type RecordedSession } from '../../model/session.ts';
import { messagesByTime, surveyImport } from './import-survey.ts';

function session(times: readonly number[]): RecordedSession {
  const entries = times.map(
    (atMs, n): MessageEntry => ({
      kind: 'message',
      sequence: n,
      proxyId: `m${n}`,
      atMs,
      direction: 'client_to_server',
      text: '{}',
    }),
  );
  return {
    ...emptySession('test'),
    async *batches() {
      for (let n = 0; n < entries.length; n += 3) yield entries.slice(n, n + 3);
    },
  };
}

async function inOrderOfTime(times: readonly number[]): Promise<MessageEntry[]> {
  const given = session(times);
  const messages: MessageEntry[] = [];
  for await (const batch of messagesByTime(given, await surveyImport(given))) messages.push(...batch);
  return messages;
}

describe('messagesByTime', () => {
  it('sorts by time and keeps the file order for equal times', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 20 }), async (times) => {
        const sorted = times.map((atMs, n) => [atMs, n]).sort(([a = 0, i = 0], [b = 0, j = 0]) => a - b || i - j);
        expect((await inOrderOfTime(times)).map(({ atMs, sequence }) => [atMs, sequence])).toEqual(sorted);
      }),
    );
  });
});

describe('messagesByTime of an HTTP archive', () => {
  it('keeps a response behind its request, whatever their times', async () => {
    const [request, answer, other] = await inOrderOfTime([1, 2, 3]);
    const messages = [
      { ...request, atMs: 500, proxyId: 'a' },
      { ...answer, atMs: 100, proxyId: 'b', correlatedId: 'a' },
      { ...other, atMs: 300, proxyId: 'c' },
    ] as MessageEntry[];
    const given: RecordedSession = {
      ...session([]),
      format: 'har',
      async *batches() {
        yield messages;
      },
    };
    const order: string[] = [];
    for await (const batch of messagesByTime(given, await surveyImport(given))) {
      order.push(...batch.map(({ proxyId }) => proxyId));
    }
    expect(order).toEqual(['c', 'a', 'b']);
  });
});

describe('surveyImport', () => {
  it('finds the earliest time and whether the messages are in order', async () => {
    expect(await surveyImport(session([3, 3, 7]))).toMatchObject({ firstMs: 3, inOrder: true });
    expect(await surveyImport(session([5, 2, 7]))).toMatchObject({ firstMs: 2, inOrder: false });
    expect(await surveyImport(session([]))).toMatchObject({ firstMs: 0, inOrder: true });
  });

  it.each([
    ['the clients of a listener', '{"exchange":3}', [0, 2, 10]],
    ['the servers that one client talked to', undefined, [0, 2, 10]],
  ])('finds %s', async (_, http, found) => {
    const [one] = await inOrderOfTime([1]);
    const given: RecordedSession = {
      ...session([]),
      async *batches() {
        for (const conversation of [2, undefined, 10, 2]) yield [{ ...one, http, conversation } as MessageEntry];
      },
    };
    expect((await surveyImport(given)).conversations).toEqual(found);
  });
});
