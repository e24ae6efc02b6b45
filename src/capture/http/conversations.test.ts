import { describe, expect, it } from 'vitest';
import { HttpConversations } from './conversations.ts';

const HANDSHAKE = { connection: 1, client: 'a', credentials: '' };

it('numbers conversations from 1', () => {
  const conversations = new HttpConversations(() => false);
  expect([conversations.open(), conversations.open()]).toEqual([1, 2]);
});

it('finds a conversation by its session id', () => {
  const conversations = new HttpConversations(() => false);
  const [first, second] = [conversations.open(), conversations.open()];
  conversations.name(second, 'b');
  conversations.name(first, 'a');
  expect([conversations.named('a'), conversations.ofName('b')]).toEqual([first, second]);
});

it('opens a new conversation for an unknown session id', () => {
  const conversations = new HttpConversations(() => false);
  expect(conversations.ofName('from before')).toBeUndefined();
  const opened = conversations.named('from before');
  expect([opened, conversations.named('from before'), conversations.open()]).toEqual([1, 1, 2]);
});

it('keeps the session id of an ended conversation for a while', () => {
  const conversations = new HttpConversations(() => false);
  conversations.name(conversations.open(), 'a');
  conversations.end('a');
  expect(conversations.named('a')).toBe(1);
  for (let other = 0; other < 100; other++) conversations.end(`other ${other}`);
  expect(conversations.named('a')).toBe(2);
});

it('keeps a session id that was assigned again', () => {
  const conversations = new HttpConversations(() => false);
  conversations.end('a');
  conversations.name(conversations.open(), 'a');
  for (let other = 0; other < 200; other++) conversations.end(`other ${other}`);
  expect(conversations.named('a')).toBe(1);
});

it('starts a new conversation on each handshake, and reuses the number of a refused one', () => {
  const conversations = new HttpConversations(() => false);
  expect([conversations.begin(HANDSHAKE), conversations.begin(HANDSHAKE)]).toEqual([1, 2]);
  conversations.refuse(2, HANDSHAKE, false);
  expect([conversations.begin(HANDSHAKE), conversations.begin(HANDSHAKE)]).toEqual([2, 3]);
});

describe('traffic without a session id', () => {
  /** Conversations 1 and 2, begun on connections 1 and 2, of which these are open. */
  function twoClients(open: readonly number[], agents: readonly [string, string] = ['a', 'a']) {
    const conversations = new HttpConversations((connection) => open.includes(connection));
    for (const [index, agent] of agents.entries()) {
      conversations.leaveUnnamed(conversations.open(), { agent, connection: index + 1 });
    }
    return conversations;
  }

  it('belongs to the only conversation without one', () => {
    const conversations = new HttpConversations(() => true);
    const visitor = { agent: 'a', connection: 9 };
    expect(conversations.ofUnnamed(visitor)).toBe(0);
    conversations.leaveUnnamed(conversations.open(), { agent: 'b', connection: 1 });
    expect(conversations.ofUnnamed(visitor)).toBe(1);
  });

  it('belongs to the conversation that began on its connection, or whose request came on it', () => {
    const conversations = twoClients([1, 2], ['a', 'b']);
    expect([1, 2].map((connection) => conversations.ofUnnamed({ agent: 'x', connection }))).toEqual([1, 2]);
    expect(conversations.ofUnnamed({ agent: 'b', connection: 3 })).toBe(2);
    expect(conversations.ofUnnamed({ agent: 'x', connection: 3 })).toBe(2);
  });

  it('belongs to the only client with its User-Agent, also if that has come back', () => {
    const conversations = twoClients([2], ['a', 'b']);
    expect(conversations.ofUnnamed({ agent: 'a', connection: 3 })).toBe(1);
  });

  it('belongs to the only client that is connected, if its connections are in use', () => {
    const conversations = twoClients([2]);
    conversations.exchangeBegan({ agent: 'a', connection: 2 });
    expect(conversations.ofUnnamed({ agent: 'a', connection: 3 })).toBe(2);
  });

  it('belongs to conversation 0 if it may come from either of two clients', () => {
    const visitor = { agent: 'a', connection: 3 };
    expect(twoClients([1, 2]).ofUnnamed(visitor)).toBe(0);
    expect(twoClients([]).ofUnnamed(visitor)).toBe(0);
    // The second client would have used its idle connection.
    expect(twoClients([2]).ofUnnamed(visitor)).toBe(0);
  });

  it('is told apart for the most recent 100 clients', () => {
    const conversations = new HttpConversations(() => true);
    for (let n = 1; n <= 101; n++) conversations.leaveUnnamed(conversations.open(), { agent: 'a', connection: n });
    expect([1, 2, 101].map((connection) => conversations.ofUnnamed({ agent: 'a', connection }))).toEqual([0, 2, 101]);
  });
});
