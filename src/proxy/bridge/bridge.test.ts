import { expect, it } from 'vitest';
import { sampleBridge } from '../../../test/support/proxy/sample-bridge.ts';
import type { TargetLinkEvents } from '../../transport/outbound/target-link.ts';

const ASKED = '{"id":1,"method":"a"}';

it('forwards messages unchanged in both directions', () => {
  const { noted, join } = sampleBridge();
  const { target, say } = join();
  say('[{"id": 1,"method":"a"}, {"method":"b"}]');
  target.onMessage('{"id": 1.0, "result":{}}', {});
  expect(noted).toEqual(['> [{"id": 1,"method":"a"}, {"method":"b"}]', '< {"id": 1.0, "result":{}}']);
});

it('splits batches in both directions for a client that does not support them', () => {
  const { noted, recorded, join } = sampleBridge();
  const { target, say } = join({ takesApart: true });
  const batch = '[{"id":1,"method":"a"}, {"method":"b"}]';
  say(batch);
  target.onMessage('[{"id":1,"result":{}}, {"method":"c"}]', {});
  expect(noted).toEqual(['> {"id":1,"method":"a"}', '> {"method":"b"}', '< {"id":1,"result":{}}', '< {"method":"c"}']);
  expect(recorded).toEqual([`> ${batch}`]);
});

it('answers open requests with an error when the target ends, unless they were cancelled', () => {
  const { noted, join } = sampleBridge();
  const { target, say } = join();
  say('[{"id":1,"method":"a"},{"id":"1","method":"a"}]');
  say('{"id":2,"method":"a"}');
  say('{"method":"notifications/cancelled","params":{"requestId":2}}');
  target.onMessage('{"id":1,"result":{}}', {});
  noted.length = 0;
  target.onEnd('it broke');
  expect(noted).toEqual([
    'end of 1: it broke',
    '< own {"jsonrpc":"2.0","id":"1","error":{"code":-32000,"message":"mcpreel: it broke"}}',
    'end',
    'close',
  ]);
});

it('pauses the target while the client applies backpressure', () => {
  const { noted, join } = sampleBridge();
  const { client, target } = join({ deliver: () => false });
  target.onMessage('{"method":"a"}', {});
  client.onDrain();
  target.onDrain?.();
  expect(noted).toEqual(['pause', 'resume', 'resume client']);
});

it('delivers no response before the client has finished sending the request', async () => {
  let target: TargetLinkEvents | undefined;
  const { noted, join } = sampleBridge({
    link: {
      send(text) {
        target?.onMessage('{"id":1,"error":{}}', { isOwn: true });
        return noted.push(`> ${text}`) < 0;
      },
    },
  });
  const joined = join();
  target = joined.target;
  expect(joined.say(ASKED)).toBe(false);
  noted.push('asked');
  await Promise.resolve();
  expect(noted).toEqual([`> ${ASKED}`, 'asked', '< own {"id":1,"error":{}}']);
});

it('closes a target with its client, and waits for every target when the bridge closes', async () => {
  const closings: (() => void)[] = [];
  const close = (): Promise<void> => new Promise((resolve) => void closings.push(resolve));
  const { bridge, join } = sampleBridge({ link: { close } });
  join().client.onEnd();
  join();
  let isClosed = false;
  const closed = bridge.close().then(() => (isClosed = true));
  expect(closings).toHaveLength(2);
  closings[0]?.();
  await Promise.resolve();
  expect(isClosed).toBe(false);
  closings[1]?.();
  await closed;
});

it('shares one target between single-exchange dialogues, and opens another once it has ended', () => {
  const { noted, join } = sampleBridge();
  const first = join({ conversation: 0, isSingle: true });
  const second = join({ conversation: 0, isSingle: true });
  expect(second.target).toBe(first.target);
  first.say(ASKED);
  first.target.onEnd('it broke');
  expect(noted).toContain('end of 0: it broke');
  expect(noted).toContain('< own {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"mcpreel: it broke"}}');
  expect(join({ conversation: 0, isSingle: true }).target).not.toBe(first.target);
});
