import { describe, expect, it } from 'vitest';
import type { MessageEntry } from '../../src/model/entry.ts';
import { detailOf, type EntryDetail } from '../model/entry-detail.ts';
import { TimelineFindings } from '../model/findings.ts';
import { checkCall } from '../model/schema-check.ts';
import { Lane } from '../model/timeline/lane.ts';
import { Timeline } from '../model/timeline/timeline.ts';
import { copyForms, titleOf } from './copy-forms.ts';
import { answeredIn, requestedIn } from './message-parts.ts';
import { statusOf } from './status-words.ts';
import { openTab, tabsFor } from './tab-kinds.ts';
import { stepsOf } from './tabs/call-steps.ts';

type Sent = readonly [side: '>' | '<', message: object, more?: Partial<MessageEntry>];

/** A timeline of one lane with these messages, 100 ms apart. */
function timelineOf(sent: readonly Sent[]): Timeline {
  const timeline = new Timeline();
  const lane = new Lane(0, undefined);
  lane.log.add(
    sent.map(
      ([side, message, more], sequence): MessageEntry => ({
        kind: 'message',
        sequence,
        proxyId: `m${sequence}`,
        atMs: 1000 + sequence * 100,
        direction: side === '>' ? 'client_to_server' : 'server_to_client',
        text: JSON.stringify({ jsonrpc: '2.0', ...message }),
        correlatedId: requestFor(sent, sequence),
        ...more,
      }),
    ),
  );
  lane.log.end();
  lane.state = 'read';
  timeline.lanes.push(lane);
  return timeline;
}

/** The id of the request that a message answers. */
function requestFor(sent: readonly Sent[], sequence: number): string | undefined {
  const [side, answer] = sent[sequence] ?? ['>', {}];
  if ('method' in answer || !('id' in answer)) return undefined;
  const requested = sent.findIndex(
    ([from, one]) => from !== side && 'method' in one && 'id' in one && one.id === answer.id,
  );
  return `m${requested}`;
}

function detailAt(timeline: Timeline, key: number): EntryDetail {
  const detail = detailOf(timeline, key);
  if (detail === undefined) throw new Error(`nothing at ${key}`);
  return detail;
}

const TOOL = {
  name: 'search',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  outputSchema: { type: 'object', required: ['total'] },
};
const call = (id: number, args: object): Sent => [
  '>',
  { id, method: 'tools/call', params: { name: 'search', arguments: args, _meta: { progressToken: id } } },
];

const film = timelineOf([
  ['>', { id: 1, method: 'tools/list' }],
  ['<', { id: 1, result: { tools: [TOOL] } }],
  call(2, { q: 5 }),
  ['<', { method: 'notifications/progress', params: { progressToken: 2, progress: 1, total: 3, message: 'soon' } }],
  ['<', { id: 9, method: 'elicitation/create', params: { message: 'Which?' } }],
  ['>', { id: 9, result: { action: 'accept' } }],
  ['<', { id: 2, result: { content: [], isError: true } }],
  call(3, { q: 'x' }),
  ['<', { id: 3, result: { content: [], structuredContent: { total: 1 } } }],
  ['<', { method: 'notifications/message', params: { level: 'info', data: 'hi' } }],
  call(4, {}),
  ['<', { id: 4, error: { code: -32602, message: 'no' } }],
]);

describe('the detail of a call', () => {
  it('shows the same call from its request and from its response', () => {
    expect(detailAt(film, 6).request?.key).toBe(2);
    expect(detailAt(film, 2).answer?.key).toBe(6);
    expect(titleOf(detailAt(film, 6))).toEqual(['tools/call', 'search']);
  });

  it('distinguishes tool errors from failed requests in the status', () => {
    expect([2, 7, 10].map((key) => statusOf(detailAt(film, key))?.words)).toEqual(['tool error', 'ok', 'error -32602']);
    expect(statusOf(detailAt(film, 9))).toBeUndefined();
  });

  it('opens the result tab by default, and the content tab of a message without one', () => {
    expect(openTab(detailAt(film, 2), undefined)).toBe('result');
    expect(openTab(detailAt(film, 2), 'schema')).toBe('schema');
    expect(openTab(detailAt(film, 9), 'schema')).toBe('content');
    expect(tabsFor(detailAt(film, 2)).map(({ title }) => title)).toEqual([
      ...['Arguments', 'Result', 'Raw', 'Timing', 'Schema', 'Related 2'],
    ]);
  });

  it('lists the steps of a call, with the time spent waiting for the user', () => {
    const steps = stepsOf(detailAt(film, 2)).map(({ title, words, forMs, kind }) => [title, words, forMs, kind]);
    expect(steps).toEqual([
      ['request', '#002', 400, 'request'],
      ['notifications/progress', '1/3 soon', 0, 'moment'],
      ['elicitation/create', 'Which?', 100, 'human'],
      ['response', '#006', 0, 'answer'],
    ]);
  });

  it('does not count sampling as waiting for the user', () => {
    const sampled = timelineOf([
      call(1, { q: 'x' }),
      ['<', { id: 9, method: 'sampling/createMessage', params: { messages: [] } }],
      ['>', { id: 9, result: {} }],
      ['<', { id: 1, result: { content: [] } }],
    ]);
    const detail = detailAt(sampled, 0);
    expect(stepsOf(detail).map(({ title, kind }) => [title, kind])).toContainEqual([
      'sampling/createMessage',
      'nested',
    ]);
    expect(detail.outcome?.humanMs).toBe(0);
  });

  it('validates arguments and results against the schemas of the tool', async () => {
    expect(await checkCall(film, 2)).toMatchObject({
      input: { kind: 'fault', faults: [{ where: 'q' }] },
      output: { kind: 'skipped' },
    });
    expect(await checkCall(film, 8)).toMatchObject({ input: { kind: 'fits' }, output: { kind: 'fits' } });
  });

  it('lists the findings that name one of the messages of a call', async () => {
    const findings = new TimelineFindings(film, () => 0);
    const codes = (await findings.about(6)).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['arguments-invalid', 'tool-failed']));
    expect((await findings.about(8)).map(({ code }) => code)).not.toContain('tool-failed');
    expect(await findings.of(0)).toBe(await findings.of(0));
  });

  it('copies a call as exact JSON-RPC, SDK code or Markdown', () => {
    const forms = copyForms(detailAt(film, 2), []);
    expect(forms.map(({ title }) => title)).toEqual(['JSON-RPC', 'SDK code', 'Markdown']);
    const { entry } = detailAt(film, 2);
    expect(forms[0]?.text).toBe(entry.kind === 'message' && entry.text);
    expect(forms[2]?.text).toContain('✕ tool error');
  });
});

describe('the parts of a message', () => {
  const message = (text: string): MessageEntry => ({
    kind: 'message',
    sequence: 0,
    proxyId: 'm',
    atMs: 0,
    direction: 'client_to_server',
    text,
  });

  it('returns the parts of a message as slices of its exact text', () => {
    const text = '{"id":1,"method":"tools/call","params":{"name":"a","arguments":{ "n":1e400 },"_meta":{"x":1}}}';
    expect(requestedIn(message(text))).toEqual({
      method: 'tools/call',
      main: { title: 'Arguments', text: '{ "n":1e400 }' },
      rest: '{"_meta":{"x":1}}',
    });
    expect(answeredIn(message('{"id":1,"error":{"code":1 }}'))).toEqual({ kind: 'error', text: '{"code":1 }' });
    expect(answeredIn(message('{"id":1}'))).toBeUndefined();
  });
});
