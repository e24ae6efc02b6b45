import { describe, expect, it } from 'vitest';
import type { LiveNews } from '../../sources/served-live.ts';
import type { ServedHeldMessage } from '../../sources/served-protocol.ts';
import { heldClock, heldPart, newsWords } from './held-words.ts';

const held: ServedHeldMessage = {
  id: 'msg-1',
  direction: 'client_to_server',
  text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}',
  atMs: 10_000,
  untilMs: 40_000,
  conversation: 0,
};

const news = (more: Partial<LiveNews>): LiveNews => ({
  id: 'msg-1',
  session: 's',
  decision: { action: 'forward' },
  by: 'screen',
  heldMs: 1500,
  isOwn: false,
  message: held,
  ...more,
});

describe('a held message', () => {
  it('shows how long a message has been held and how much time is left', () => {
    expect(heldClock(held, 14_000)).toEqual({ held: 'held 4 s', left: '26 s left' });
    expect(heldClock(held, 41_000)).toEqual({ held: 'held 31 s', left: '0 s left' });
    expect(heldPart(held, 25_000)).toBe(0.5);
  });

  it('reports who decided on a held message', () => {
    expect(newsWords(news({ isOwn: true }))).toBe('search forwarded: by you, after 1.50 s');
    expect(newsWords(news({ decision: { action: 'drop' } }))).toBe(
      'search dropped: by another controller, after 1.50 s',
    );
    expect(newsWords(news({ by: 'timeout', heldMs: 30_000 }))).toBe('search forwarded: timeout, after 30.0 s');
  });
});
