import { describe, expect, it } from 'vitest';
import { partText } from '../../../test/support/trace-texts.ts';
import { SampleTrace } from '../../../test/web/sample-trace.ts';
import { Engine } from '../engine.ts';
import type { LaneLosses } from './lane-losses.ts';

const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

async function lossesOf(text: string): Promise<LaneLosses | undefined> {
  const engine = new Engine({ onTimeline: () => undefined, onShown: () => undefined }, () => performance.now());
  await engine.open([{ name: 'a', blob: new Blob([text]) }]);
  return (await engine.losses())[0];
}

describe('the losses of a recording', () => {
  it('reports no losses for a complete recording', async () => {
    const losses = await lossesOf(String(new SampleTrace().call(1, 'one', {}, {}).end()));
    expect(losses).toEqual({
      redacted: { values: 0, places: 0 },
      missed: 0,
      tooLong: 0,
      inOtherParts: 0,
      isCutOff: false,
      lacks: [],
    });
  });

  it('distinguishes messages that were too long from messages that were missed', async () => {
    const event = (raw: string): string =>
      `{"t":"2026-01-02T03:04:05.000Z","type":"event","dir":"event","kind":"mcpreel.gap","raw":${raw}}`;
    const trace = new SampleTrace()
      .line(event('{"missed":1,"why":"longer than --max-message","size":9,"sha256":"ab"}'))
      .line(event('{"missed":12,"why":"disk full"}'))
      .end();
    expect(await lossesOf(String(trace))).toMatchObject({ tooLong: 1, missed: 12, inOtherParts: 0 });
  });

  it('counts the entries of parts that no longer exist', async () => {
    expect(await lossesOf(partText(3, [70, 72]))).toMatchObject({ inOtherParts: 70, missed: 0, tooLong: 0 });
  });

  it.each([
    ['a trace', `${new SampleTrace()}{"t":"2026-01-02T03:0`],
    ['a session file', '{"id":"x","startedAt":"2026-01-02T03:04:05Z","command":["x"],"messages":[{"sequence":0,"t":1'],
    ['bare messages', `[${MESSAGE},{"jsonrpc":"2.0","id":2,"meth`],
  ])('reports %s that ends in the middle as cut off', async (_, text) => {
    expect(await lossesOf(text)).toMatchObject({ isCutOff: true });
  });

  it('lists what the format cannot hold', async () => {
    expect((await lossesOf(`${MESSAGE}\n`))?.lacks).toContain('times');
  });
});
