import { expect, it } from 'vitest';
import { watchedBody } from './watched-text.ts';

const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const read = (text: string, charset?: string) => watchedBody(Buffer.from(text), charset);

it.each([undefined, 'utf-8', 'UTF8', 'us-ascii', 'iso-8859-1', 'windows-1252'])(
  'reads a body with the charset %s',
  (charset) => {
    expect(read(MESSAGE, charset)).toMatchObject({ kind: 'messages', doubt: undefined });
    expect(read('a=1', charset)).toEqual({ kind: 'other' });
  },
);

it.each(['utf-7', 'utf-7-imap', 'utf-16', 'ibm037'])('does not trust a body with the charset %s', (charset) => {
  const why = `its charset ${charset} is not UTF-8`;
  expect(read(MESSAGE, charset)).toMatchObject({ kind: 'messages', doubt: why });
  expect(read('+AHsAfQ-', charset)).toEqual({ kind: 'unread', why });
});

it.each([
  '{"j\u017fonrpc":"2.0","\\u004dethod":"tools/call","id":1}',
  '{"\\u006aSONRPC":"2.0"}',
  '{"Method":"tools/call"}',
])('does not take %s for something else than a message', (text) => {
  expect(read(text)).toMatchObject({ kind: 'unread' });
});
