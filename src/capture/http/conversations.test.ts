import { expect, it } from 'vitest';
import { HttpConversations } from './conversations.ts';

it('are counted from 1', () => {
  const conversations = new HttpConversations();
  expect([conversations.open(), conversations.open()]).toEqual([1, 2]);
});

it('are found by the name that they got', () => {
  const conversations = new HttpConversations();
  const [first, second] = [conversations.open(), conversations.open()];
  conversations.name(second, 'b');
  conversations.name(first, 'a');
  expect([conversations.named('a'), conversations.ofName('b')]).toEqual([first, second]);
});

it('are new where a name is not known', () => {
  const conversations = new HttpConversations();
  expect(conversations.ofName('from before')).toBeUndefined();
  const opened = conversations.named('from before');
  expect([opened, conversations.named('from before'), conversations.open()]).toEqual([1, 1, 2]);
});

it('keep their names for a while when they are over', () => {
  const conversations = new HttpConversations();
  conversations.name(conversations.open(), 'a');
  conversations.end('a');
  expect(conversations.named('a')).toBe(1);
  for (let other = 0; other < 100; other++) conversations.end(`other ${other}`);
  expect(conversations.named('a')).toBe(2);
});

it('keep a name that was given anew', () => {
  const conversations = new HttpConversations();
  conversations.end('a');
  conversations.name(conversations.open(), 'a');
  for (let other = 0; other < 200; other++) conversations.end(`other ${other}`);
  expect(conversations.named('a')).toBe(1);
});

it('begin anew with each handshake, and go on with one that was refused', () => {
  const conversations = new HttpConversations();
  expect([conversations.begin(), conversations.begin()]).toEqual([1, 2]);
  conversations.refuse(2);
  expect([conversations.begin(), conversations.begin()]).toEqual([2, 3]);
});

it('own what has no name where there is only one that got none', () => {
  const conversations = new HttpConversations();
  expect(conversations.ofUnnamed()).toBe(0);
  conversations.leaveUnnamed(conversations.open());
  expect(conversations.ofUnnamed()).toBe(1);
  conversations.leaveUnnamed(conversations.open());
  expect(conversations.ofUnnamed()).toBe(0);
});
