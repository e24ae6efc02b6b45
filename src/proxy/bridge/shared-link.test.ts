import { describe, expect, it } from 'vitest';
import type { MessageOrigin, TargetLink, TargetLinkEvents } from '../../transport/outbound/target-link.ts';
import { SharedLink } from './shared-link.ts';

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"';

/** A shared link, the target at its end, and clients on lanes. */
function shared(cancelsByMessage = true): {
  link: SharedLink;
  sent: string[];
  abandoned: string[];
  undelivered: string[];
  target: TargetLinkEvents;
  lane: () => { lane: TargetLink; received: string[]; origins: MessageOrigin[]; ends: (string | undefined)[] };
} {
  const sent: string[] = [];
  const abandoned: string[] = [];
  const undelivered: string[] = [];
  let target: TargetLinkEvents | undefined;
  const nothing = (): void => undefined;
  const link = new SharedLink({
    cancelsByMessage,
    openLink(events) {
      target = events;
      return {
        send: (text) => sent.push(text) > 0,
        abandon: (id) => void abandoned.push(id),
        pause: nothing,
        resume: nothing,
        close: () => Promise.resolve(),
      };
    },
    events: {
      onLine: nothing,
      onTargetExchange: nothing,
      onTargetEnd: nothing,
      onUndelivered: ({ text }) => void undelivered.push(text),
    },
  });
  if (target === undefined) throw new Error('No link');
  const lane = (): ReturnType<ReturnType<typeof shared>['lane']> => {
    const received: string[] = [];
    const origins: MessageOrigin[] = [];
    const ends: (string | undefined)[] = [];
    const events: TargetLinkEvents = {
      onMessage: (text, origin) => {
        received.push(text);
        origins.push(origin);
      },
      onLine: nothing,
      onExchange: nothing,
      onEnd: (reason) => void ends.push(reason),
    };
    return { lane: link.attach(events), received, origins, ends };
  };
  return { link, sent, abandoned, undelivered, target, lane };
}

function call(id: string, more = ''): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{${META}${more}}}}`;
}

describe('requests on a shared link', () => {
  it('forwards requests unchanged as long as their ids differ', () => {
    const { sent, lane, target } = shared();
    const [first, second] = [lane(), lane()];
    const texts = [call('1'), call('"1"', ',"progressToken":1')];
    first.lane.send(texts[0] ?? '');
    second.lane.send(texts[1] ?? '');
    expect(sent).toEqual(texts);
    target.onMessage('{"id":"1","result":{}}', {});
    target.onMessage('{ "id": 1.0, "result":{"x":1.0} }', {});
    expect([first.received, second.received]).toEqual([
      ['{ "id": 1.0, "result":{"x":1.0} }'],
      ['{"id":"1","result":{}}'],
    ]);
  });

  it.each([
    ['7', '1000000001'],
    ['"seven"', '"mcpreel-1"'],
  ])('replaces an id (%s) that is in use, and restores it in the response', (id, replaced) => {
    const { sent, lane, target } = shared();
    const [first, second] = [lane(), lane()];
    first.lane.send(call(id));
    second.lane.send(call(id));
    expect(sent).toEqual([call(id), call(replaced)]);
    target.onMessage(`{"jsonrpc":"2.0","id":${replaced},"result":{"of":2}}`, { requestId: replaced });
    target.onMessage(`{"jsonrpc":"2.0","id":${id},"result":{"of":1}}`, { requestId: id });
    expect(second.received).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{"of":2}}`]);
    expect(second.origins).toEqual([{ requestId: id }]);
    expect(first.received).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{"of":1}}`]);
  });

  it('delivers progress to its own request, under the original token', () => {
    const { sent, lane, target } = shared();
    const [first, second] = [lane(), lane()];
    first.lane.send(call('1', ',"progressToken":5'));
    second.lane.send(call('2', ',"progressToken":5'));
    expect(sent[1]).toBe(call('2', ',"progressToken":1000000001'));
    const progress = (token: number): string =>
      `{"method":"notifications/progress","params":{"progressToken":${token}}}`;
    target.onMessage(progress(1000000001), {});
    target.onMessage(progress(5), {});
    expect([first.received, second.received]).toEqual([[progress(5)], [progress(5)]]);
  });

  it('delivers subscription notifications under the original id', () => {
    const { lane, target } = shared();
    const [first, second] = [lane(), lane()];
    first.lane.send(call('"listen:0"'));
    second.lane.send(call('"listen:0"'));
    const key = '"io.modelcontextprotocol/subscriptionId"';
    const changed = (id: string): string => `{"method":"notifications/x","params":{"_meta":{${key}:${id}}}}`;
    target.onMessage(changed('"mcpreel-1"'), {});
    const over = (id: string): string => `{"id":${id},"result":{"_meta":{${key}:${id}}}}`;
    target.onMessage(over('"mcpreel-1"'), {});
    expect(first.received).toEqual([]);
    expect(second.received).toEqual([changed('"listen:0"'), over('"listen:0"')]);
  });

  it('delivers log messages only to clients that requested them', () => {
    const { lane, target, undelivered } = shared();
    const [quiet, curious] = [lane(), lane()];
    const logged = '{"method":"notifications/message","params":{}}';
    target.onMessage(logged, {});
    expect(undelivered).toEqual([logged]);
    quiet.lane.send(call('1'));
    curious.lane.send(call('2', ',"io.modelcontextprotocol/logLevel":"info"'));
    target.onMessage(logged, {});
    expect([quiet.received, curious.received]).toEqual([[], [logged]]);
    // Over HTTP, the message arrives on the stream of one client's request.
    target.onMessage(logged, { requestId: '1' });
    expect(quiet.received).toEqual([logged]);
  });

  it('cancels a request under the id sent to the target, and does not reuse that id', () => {
    const { sent, abandoned, undelivered, lane, target } = shared();
    const [first, second, third] = [lane(), lane(), lane()];
    first.lane.send(call('1'));
    second.lane.send(call('1'));
    second.lane.abandon('1');
    expect(abandoned).toEqual(['1000000001']);
    const params = `{${META}},"requestId":1000000001,"reason":"the client closed its stream"}`;
    expect(sent[2]).toBe(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
    first.lane.abandon('1');
    third.lane.send(call('1'));
    expect(sent.at(-1)).toBe(call('1000000002'));
    const late = '{"id":1,"result":{}}';
    target.onMessage(late, {});
    expect(undelivered).toEqual([late]);
    expect([first.received, second.received, third.received]).toEqual([[], [], []]);
  });

  it('does not reuse the progress token of an abandoned request', () => {
    const { sent, undelivered, lane, target } = shared();
    const [first, second] = [lane(), lane()];
    first.lane.send(call('1', ',"progressToken":5'));
    first.lane.abandon('1');
    second.lane.send(call('2', ',"progressToken":5'));
    expect(sent.at(-1)).toBe(call('2', ',"progressToken":1000000001'));
    const late = '{"method":"notifications/progress","params":{"progressToken":5,"message":"for the first client"}}';
    target.onMessage(late, {});
    expect(undelivered).toEqual([late]);
    expect(second.received).toEqual([]);
  });

  it('does not forward a cancel notification, because its request id is ambiguous', () => {
    const { sent, lane } = shared();
    lane().lane.send(call('1'));
    lane().lane.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect(sent).toEqual([call('1')]);
  });

  it('abandons requests when their client leaves, without a message if the transport needs none', async () => {
    const { sent, abandoned, lane } = shared(false);
    const { lane: leaving } = lane();
    leaving.send(call('1'));
    await leaving.close();
    expect(abandoned).toEqual(['1']);
    expect(sent).toHaveLength(1);
  });

  it('reports the end of the target to every open request', () => {
    const { link, lane, target } = shared();
    const [waiting, answered] = [lane(), lane()];
    waiting.lane.send(call('1'));
    answered.lane.send(call('2'));
    target.onMessage('{"id":2,"result":{}}', {});
    target.onEnd('the server exited with status 1');
    expect([waiting.ends, answered.ends]).toEqual([['the server exited with status 1'], []]);
    expect(link.isOver).toBe(true);
  });
});
