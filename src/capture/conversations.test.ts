import { describe, expect, it } from 'vitest';
import { Conversations } from './conversations.ts';

describe('a conversation that is over', () => {
  it('still has what comes late', () => {
    const conversations = new Conversations();
    conversations.name(conversations.open(), 'a');
    conversations.end('a');
    expect(conversations.named('a')).toBe(1);
  });

  it('is forgotten when a hundred more are over, so that a long run does not remember them all', () => {
    const conversations = new Conversations();
    for (let n = 0; n <= 100; n++) {
      conversations.name(conversations.open(), `session ${n}`);
      conversations.end(`session ${n}`);
    }
    expect(conversations.ofName('session 0')).toBeUndefined();
    expect(conversations.ofName('session 1')).toBe(2);
  });
});

describe('a request that names no conversation', () => {
  it('is that of the only client whose server keeps no sessions', () => {
    const conversations = new Conversations();
    expect(conversations.ofUnnamed()).toBe(0);
    conversations.leaveUnnamed(conversations.open());
    expect(conversations.ofUnnamed()).toBe(1);
  });

  it('is nobody’s where there are several', () => {
    const conversations = new Conversations();
    for (let n = 0; n < 2; n++) conversations.leaveUnnamed(conversations.open());
    expect(conversations.ofUnnamed()).toBe(0);
  });
});
