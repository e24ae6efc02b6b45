import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Decision, Settlement } from '../../intercept/held-message.ts';
import type { Entry } from '../../model/entry.ts';
import { objectsOf, type RpcBody } from '../../protocol/rpc-body.ts';
import { EntryMaker } from '../../record/entry-maker.ts';
import { BridgeRecorder } from './bridge-recorder.ts';

const NOW = 1000;
const ARRIVED = 400;

function recording(): { recorder: BridgeRecorder; maker: EntryMaker; entries: Entry[] } {
  const entries: Entry[] = [];
  const maker = new EntryMaker('8d0a7d3e-0000-4000-8000-000000000000');
  const recorder = new BridgeRecorder({
    session: { maker, record: (added) => void entries.push(...added) },
    nowMs: () => NOW,
    keepsNoise: true,
    stderr: new PassThrough(),
    onDialogue: () => expect.unreachable(),
    onTargetEnd: expect.unreachable,
  });
  return { recorder, maker, entries };
}

const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';
const result = '{"jsonrpc":"2.0","id":1,"result":{}}';
const place = { conversation: 2, exchange: 5 };

function settled(text: string, decision: Decision, id = ''): Settlement[] {
  return [{ id, text, atMs: ARRIVED, decision }];
}

function sent(text: string): { body: RpcBody; text: string; place: typeof place } {
  return { body: objectsOf(text) as RpcBody, text, place };
}

describe('BridgeRecorder', () => {
  it('records a held message with its exchange, id and arrival time, and then the response', () => {
    const { recorder, maker, entries } = recording();
    const id = maker.newId();
    recorder.onSent(sent(call), settled(call, { action: 'edit', text: call.replace('1', '2') }, id));
    recorder.onReported({ text: result.replace('1', '2'), delivery: {} }, place);
    expect(entries).toMatchObject([
      { proxyId: id, atMs: ARRIVED, conversation: 2, http: '{"exchange":5}', modified: true, original: call },
      { atMs: NOW, direction: 'server_to_client' },
    ]);
  });

  it('records an edited message that could not be delivered as dropped, with the edited text', () => {
    const { recorder, maker, entries } = recording();
    const id = maker.newId();
    const past = settled(result, { action: 'edit', text: '{"jsonrpc":' }, id);
    recorder.onUndelivered({ text: '{"jsonrpc":', delivery: { past } }, 2);
    expect(entries).toMatchObject([{ proxyId: id, text: result, sentText: '{"jsonrpc":', dropped: true }]);
  });

  it('records a held message at its index in the batch', () => {
    const { recorder, maker, entries } = recording();
    const id = maker.newId();
    const other = result.replace('1', '2');
    const past = settled(result, { action: 'forward' }, id);
    recorder.onReportedAsBatch(
      [
        { text: other, delivery: {} },
        { text: result, delivery: { past } },
      ],
      place,
    );
    expect(entries).toMatchObject([
      { text: other, batch: '{"frame":0,"index":0,"of":2}' },
      { text: result, batch: '{"frame":0,"index":1,"of":2}', proxyId: id },
    ]);
  });
});

it('records a message from mcpreel as injected, and a line that is not a message as noise', () => {
  const { recorder, entries } = recording();
  recorder.onSentInPlace(call, { conversation: 2 });
  recorder.onReported({ text: 'hello', delivery: { isOwn: true } }, place);
  expect(entries).toMatchObject([
    { kind: 'message', direction: 'client_to_server', injected: true, conversation: 2 },
    { kind: 'event', event: 'stdio.noise', raw: '{"dir":"out","text":"hello"}' },
  ]);
});

it('marks only the messages from mcpreel in a batch as injected', () => {
  const { recorder, entries } = recording();
  const own = '{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"mcpreel: no"}}';
  recorder.onReportedAsBatch(
    [
      { text: result, delivery: {} },
      { text: own, delivery: { isOwn: true } },
    ],
    place,
  );
  const isInjected = entries.map((entry) => entry.kind === 'message' && entry.injected);
  expect(isInjected).toEqual([undefined, true]);
});

it('records a line above the size limit as a gap, both for stdout noise and for stderr', () => {
  const { recorder, entries } = recording();
  recorder.onLine('noise', '(too long)', 2, { size: 600 });
  recorder.onLine('stderr', '(too long)', 0, { size: 500, sha256: 'abc' });
  expect(entries).toMatchObject([
    {
      event: 'mcpreel.gap',
      conversation: 2,
      raw: '{"missed":1,"why":"longer than --max-message","dir":"out","size":600}',
    },
    { event: 'mcpreel.gap', raw: '{"missed":1,"why":"longer than --max-message","size":500,"sha256":"abc"}' },
  ]);
});
