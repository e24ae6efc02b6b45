import { expect, it } from 'vitest';
import type { ClientDialogue, Delivery, DialogueEvents } from '../transport/fronts/client-front.ts';
import type { TargetLink, TargetLinkEvents } from '../transport/links/target-link.ts';
import { Bridge } from './bridge.ts';

interface Sides {
  readonly bridge: Bridge;
  /** What happened at either end, in order. */
  readonly noted: string[];
  /** Joins a dialogue of which the client takes as much as is said here. */
  readonly join: (dialogue?: Partial<ClientDialogue>) => { client: DialogueEvents; target: TargetLinkEvents };
}

function sides(link: Partial<TargetLink> = {}): Sides {
  const noted: string[] = [];
  const targets: TargetLinkEvents[] = [];
  const note = (what: string) => (): void => void noted.push(what);
  const bridge = new Bridge({
    cancelsByMessage: true,
    openLink(events) {
      targets.push(events);
      return {
        send: (text) => noted.push(`> ${text}`) > 0,
        abandon: (id) => void noted.push(`abandon ${id}`),
        pause: note('pause'),
        resume: note('resume'),
        close: async () => void noted.push('close'),
        ...link,
      };
    },
    events: {
      onLine: (stream, text, conversation) => void noted.push(`${stream} of ${conversation}: ${text}`),
      onTargetExchange: (_, conversation) => void noted.push(`exchange of ${conversation}`),
      onUndelivered: (text) => void noted.push(`lost ${text}`),
      onTargetEnd: (reason, conversation) => void noted.push(`end of ${conversation}: ${reason}`),
    },
  });
  const join: Sides['join'] = (dialogue = {}) => {
    const client = bridge.join({
      conversation: 1,
      isSingle: false,
      deliver: (text: string, { isOwn }: Delivery) => noted.push(`< ${isOwn ? 'own ' : ''}${text}`) > 0,
      resume: note('resume client'),
      end: note('end'),
      ...dialogue,
    });
    const target = targets.at(-1);
    if (target === undefined) throw new Error('No link');
    return { client, target };
  };
  return { bridge, noted, join };
}

const ASKED = '{"id":1,"method":"a"}';

it('carries texts as they are, both ways', () => {
  const { noted, join } = sides();
  const { client, target } = join();
  client.onMessage('[{"id": 1,"method":"a"}, {"method":"b"}]');
  target.onMessage('{"id": 1.0, "result":{}}', {});
  expect(noted).toEqual(['> [{"id": 1,"method":"a"}, {"method":"b"}]', '< {"id": 1.0, "result":{}}']);
});

it('answers in place of a target that has ended, but only what was not answered and not cancelled', () => {
  const { noted, join } = sides();
  const { client, target } = join();
  client.onMessage('[{"id":1,"method":"a"},{"id":"1","method":"a"}]');
  client.onMessage('{"id":2,"method":"a"}');
  client.onMessage('{"method":"notifications/cancelled","params":{"requestId":2}}');
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

it('lets the target wait for a client that takes no more, until it does', () => {
  const { noted, join } = sides();
  const { client, target } = join({ deliver: () => false });
  target.onMessage('{"method":"a"}', {});
  client.onDrain();
  target.onDrain?.();
  expect(noted).toEqual(['pause', 'resume', 'resume client']);
});

it('gives no answer before whoever asked is done with asking', async () => {
  let target: TargetLinkEvents | undefined;
  const { noted, join } = sides({
    send(text) {
      target?.onMessage('{"id":1,"error":{}}', { isOwn: true });
      return noted.push(`> ${text}`) < 0;
    },
  });
  const joined = join();
  target = joined.target;
  expect(joined.client.onMessage(ASKED)).toBe(false);
  noted.push('asked');
  await Promise.resolve();
  expect(noted).toEqual([`> ${ASKED}`, 'asked', '< own {"id":1,"error":{}}']);
});

it('ends a target with its client, and waits for every one of them in the end', async () => {
  const closings: (() => void)[] = [];
  const close = (): Promise<void> => new Promise((resolve) => void closings.push(resolve));
  const { bridge, join } = sides({ close });
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

it('joins dialogues of a single exchange with one target, and opens another when that has ended', () => {
  const { noted, join } = sides();
  const first = join({ conversation: 0, isSingle: true });
  const second = join({ conversation: 0, isSingle: true });
  expect(second.target).toBe(first.target);
  first.client.onMessage(ASKED);
  first.target.onEnd('it broke');
  expect(noted).toContain('end of 0: it broke');
  expect(noted).toContain('< own {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"mcpreel: it broke"}}');
  expect(join({ conversation: 0, isSingle: true }).target).not.toBe(first.target);
});
