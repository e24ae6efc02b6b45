import { describe, expect, it } from 'vitest';
// biome-ignore-start lint/correctness/useImportExtensions: their declarations are beside them, not in them
import { keptOf, messageText } from './support/echo-talk.mjs';
import { Judgement } from './support/judgement.mjs';
import { judgeTexts } from './support/killed-lanes-judgement.mjs';
import { compareAsSets, compareConversations, compareInOrder, missedIn } from './support/recorded.mjs';
import { judgeSamples } from './support/watched-process.mjs';

// biome-ignore-end lint/correctness/useImportExtensions: as above

describe('a recorded stream', () => {
  it('accepts a complete stream, and counts the missing messages of an incomplete one', () => {
    expect(compareInOrder(['a', 'b', 'c'], ['a', 'b', 'c'])).toEqual({ faults: [], missing: 0 });
    expect(compareInOrder(['a', 'c'], ['a', 'b', 'c', 'd'])).toEqual({ faults: [], missing: 2 });
  });

  it('reports a message that was not sent, is out of order, or is duplicated', () => {
    expect(compareInOrder(['a', 'x'], ['a', 'b']).faults).toHaveLength(1);
    expect(compareInOrder(['b', 'a'], ['a', 'b']).faults).toHaveLength(1);
    expect(compareInOrder(['a', 'a'], ['a', 'b']).faults).toHaveLength(1);
  });

  it('accepts any order where the order is unknown, but no duplicates', () => {
    expect(compareAsSets(['b', 'a'], ['a', 'b', 'c'])).toEqual({ faults: [], missing: 1 });
    expect(compareAsSets(['a', 'a', 'x'], ['a']).faults).toHaveLength(2);
  });
});

describe('recorded conversations', () => {
  const sent = (conversation: number, ...texts: string[]) =>
    texts.map((text) => ({ conversation, dir: text.startsWith('>') ? ('in' as const) : ('out' as const), text }));
  const ledgers = ['a', 'b'].map((name) => ({
    name,
    sent: [`>${name}1`, `>${name}2`],
    received: [`${name}1`, `${name}2`],
  }));
  const [first, second] = [sent(1, '>a1', 'a1', '>a2', 'a2'), sent(2, '>b1', 'b1', '>b2', 'b2')];

  it('accepts conversations that are complete and separate', () => {
    expect(compareConversations({ messages: [...first, ...second] }, ledgers)).toEqual({ faults: [], missing: 0 });
  });

  it('reports messages of one conversation in another', () => {
    const mixed = sent(1, '>a1', 'a1', '>b2', 'b2');
    const { faults, missing } = compareConversations({ messages: [...mixed, ...second] }, ledgers);
    expect({ faults: faults.length, missing }).toEqual({ faults: 2, missing: 2 });
  });

  it('reports a conversation that is missing or split', () => {
    expect(compareConversations({ messages: first }, ledgers)).toEqual({ faults: ['b is not there'], missing: 4 });
    const pieces = [...sent(2, '>b1', 'b1'), ...sent(3, '>b2', 'b2')];
    expect(compareConversations({ messages: [...first, ...pieces] }, ledgers).faults).toHaveLength(1);
  });

  it('expects a response to each request if the client did not log what it received', () => {
    const messages = sent(1, '>{"id":1}').map((message) => ({ ...message, text: '{"id":1}' }));
    expect(compareConversations({ messages }, [{ name: 'sdk', sent: ['{"id":1}'] }])).toEqual({
      faults: [],
      missing: 1,
    });
  });
});

describe('a kept trace', () => {
  const line = (dir: string, number: number): string => `{"dir":"${dir}","raw":${messageText(number)}}`;
  const gap = '{"type":"event","kind":"mcpreel.gap","raw":{"missed":2}}';

  it('accounts for every message, recorded or in a gap', () => {
    const trace = [line('in', 0), line('out', 0), gap, line('in', 2), '{"torn'].join('\n');
    expect(keptOf(trace)).toMatchObject({ messages: 3, gaps: [2], accounted: 5, tornLines: 1, faults: [] });
  });

  it('reports a message that is missing without a gap, or has the wrong direction', () => {
    expect(keptOf([line('in', 0), line('in', 1)].join('\n')).faults).toHaveLength(1);
    expect(keptOf(line('out', 0)).faults).toHaveLength(1);
  });

  it('counts the messages missing in gaps', () => {
    expect(
      missedIn({
        events: [
          { kind: 'mcpreel.gap', raw: { missed: 3 } },
          { kind: 'http.exchange', raw: {} },
        ],
      }),
    ).toBe(3);
  });
});

describe('killed lanes', () => {
  /** One after the other, ten milliseconds apart. */
  const calls = Array.from({ length: 10 }, (_, id) => ({
    lane: 0,
    text: `{"id":${id}}`,
    sentAtMs: 10 * id,
    answer: `{"id":${id},"result":{}}`,
    answeredAtMs: 10 * id + 1,
  }));
  const sent = calls.map(({ text }) => text);
  const said = calls.map(({ answer }) => answer);
  const judge = (kept: (id: number) => boolean, strainMs = 0) =>
    judgeTexts(
      {
        messages: calls
          .filter((_, id) => kept(id))
          .flatMap(({ text, answer }) => [
            { dir: 'in', text },
            { dir: 'out', text: answer },
          ]),
      },
      { calls, sent, received: said, strainMs },
      { heard: sent, said },
    );

  it('allows messages in flight to be missing', () => {
    expect(judge((id) => id < 4)).toMatchObject({ faults: [], lost: 0, missing: 6, settled: 4 });
  });

  it('counts missing messages that were settled before the kill as lost', () => {
    expect(judge((id) => id < 3)).toMatchObject({ faults: [], lost: 1 });
    expect(judge(() => false)).toMatchObject({ faults: [], lost: 4 });
  });

  it('does not blame killed lanes for a busy machine', () => {
    expect(judge((id) => id < 3, 60)).toMatchObject({ faults: [], lost: 0, settled: 0 });
    expect(judge((id) => id !== 3, 60).faults).toHaveLength(1);
  });

  it('reports a hole in the recording, and a message that was never sent', () => {
    expect(judge((id) => id !== 5).faults).toHaveLength(1);
    const messages = [{ dir: 'in' as const, text: 'never' }];
    const lanes = { calls, sent, received: said, strainMs: 0 };
    expect(judgeTexts({ messages }, lanes, { heard: sent, said }).faults).toHaveLength(1);
  });
});

describe('a soak', () => {
  const flat = Array.from({ length: 30 }, () => 10);
  const rising = Array.from({ length: 30 }, (_, index) => 10 + index);
  const judge = (changed: object) =>
    judgeSamples({ memory: flat, handles: flat, delays: flat, ...changed }, flat, { growth: 0.1 }).wrong;

  it('passes if nothing grows for long', () => {
    expect(judge({})).toEqual([]);
    expect(judge({ memory: flat.map((_, index) => (index < 20 ? 80e6 : 94e6)) })).toEqual([]);
    expect(judge({ handles: flat.map((value, index) => (index > 25 ? value + 1 : value)) })).toEqual([]);
  });

  it('fails if memory, handles or delay grow', () => {
    expect(judge({ memory: rising.map((value) => value * 4e6) })).toEqual(['memory grows']);
    expect(judge({ handles: rising })).toEqual(['handles grow']);
    expect(judge({ delays: rising.map((value) => value ** 2) })).toEqual(['delay grows']);
  });

  it('does not blame mcpreel for a machine that becomes busy', () => {
    const busy = flat.map((value, index) => (index < 20 ? value : value * 5));
    expect(judgeSamples({ memory: flat, handles: flat, delays: busy }, busy, { growth: 0.1 }).wrong).toEqual([]);
  });
});

describe('Judgement', () => {
  it('lists claims that held every time, and names those that did not', () => {
    const judgement = new Judgement();
    judgement.claim('a', true);
    judgement.claim('b', true);
    judgement.claim('b', false, 'the second time');
    expect(judgement.outcome('x')).toMatchObject({ held: ['a'], faults: ['not held: b (the second time)'], ok: false });
  });

  it('fails if a message is lost', () => {
    const judgement = new Judgement();
    judgement.lose(1);
    expect(judgement.outcome('x')).toMatchObject({ lost: 1, ok: false });
  });

  it('includes the result of a comparison', () => {
    const judgement = new Judgement();
    judgement.compared('a', { faults: [], missing: 0 });
    judgement.compared('b', { faults: ['twice'], missing: 2 });
    expect(judgement.outcome('x')).toMatchObject({
      held: ['a'],
      faults: ['not held: b (twice)', '2 messages are lost'],
    });
  });
});
