import { expect, it } from 'vitest';
import { HttpConversations } from './conversations.ts';

const HANDSHAKE = { connection: 1, client: 'a', credentials: '' };

it('numbers conversations from 1', () => {
  const conversations = new HttpConversations();
  expect([conversations.open(), conversations.open()]).toEqual([1, 2]);
});

it('finds a conversation by its session id', () => {
  const conversations = new HttpConversations();
  const [first, second] = [conversations.open(), conversations.open()];
  conversations.name(second, 'b');
  conversations.name(first, 'a');
  expect([conversations.named('a'), conversations.ofName('b')]).toEqual([first, second]);
});

it('opens a new conversation for an unknown session id', () => {
  const conversations = new HttpConversations();
  expect(conversations.ofName('from before')).toBeUndefined();
  const opened = conversations.named('from before');
  expect([opened, conversations.named('from before'), conversations.open()]).toEqual([1, 1, 2]);
});

it('keeps the session id of an ended conversation for a while', () => {
  const conversations = new HttpConversations();
  conversations.name(conversations.open(), 'a');
  conversations.end('a');
  expect(conversations.named('a')).toBe(1);
  for (let other = 0; other < 100; other++) conversations.end(`other ${other}`);
  expect(conversations.named('a')).toBe(2);
});

it('keeps a session id that was assigned again', () => {
  const conversations = new HttpConversations();
  conversations.end('a');
  conversations.name(conversations.open(), 'a');
  for (let other = 0; other < 200; other++) conversations.end(`other ${other}`);
  expect(conversations.named('a')).toBe(1);
});

it('starts a new conversation on each handshake, and reuses the number of a refused one', () => {
  const conversations = new HttpConversations();
  expect([conversations.begin(HANDSHAKE), conversations.begin(HANDSHAKE)]).toEqual([1, 2]);
  conversations.refuse(2, HANDSHAKE, false);
  expect([conversations.begin(HANDSHAKE), conversations.begin(HANDSHAKE)]).toEqual([2, 3]);
});

it('assigns traffic without a session id to the only conversation without one', () => {
  const conversations = new HttpConversations();
  expect(conversations.ofUnnamed()).toBe(0);
  conversations.leaveUnnamed(conversations.open());
  expect(conversations.ofUnnamed()).toBe(1);
  conversations.leaveUnnamed(conversations.open());
  expect(conversations.ofUnnamed()).toBe(0);
});
