import { MAX_BYTES } from './watched-session.ts';

/** A message that a rule forbids, written so that a careless reader does not see it. */
export interface HiddenCall {
  readonly title: string;
  readonly bytes: Buffer;
  /** Whether mcpreel reads it, so that rules apply. Otherwise it is refused or marked. */
  readonly isRead: boolean;
  /** Whether it is read, but some receivers read it differently. With --fail-closed it is refused. */
  readonly isDoubted?: boolean;
}

const PARAMS = '"params":{"name":"delete_all"}';
export const CALL: string = `{"jsonrpc":"2.0","id":7,"method":"tools/call",${PARAMS}}`;
const HARMLESS = '{"jsonrpc":"2.0","id":8,"method":"ping"}';
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const read = (title: string, text: string | Buffer): HiddenCall => ({ title, bytes: Buffer.from(text), isRead: true });
const doubted = (title: string, text: string | Buffer): HiddenCall => ({ ...read(title, text), isDoubted: true });
const unread = (title: string, text: string | Buffer): HiddenCall => ({ ...read(title, text), isRead: false });

function utf16(text: string, isBigEndian: boolean): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

/** Ways to hide a call that work in a line and in a body. */
export const HIDDEN_CALLS: readonly HiddenCall[] = [
  read('plainly', CALL),
  read('behind a byte order mark', Buffer.concat([UTF8_MARK, Buffer.from(CALL)])),
  read('in a batch', `[${HARMLESS},${CALL}]`),
  read('in a batch with an invalid member', `[1,${CALL}]`),
  read('in a batch behind a byte order mark', Buffer.concat([UTF8_MARK, Buffer.from(`[null,${CALL},"x"]`)])),
  read('in a batch beside an empty object', `[{},${CALL}]`),
  read(
    'with escapes',
    String.raw`{"jsonrpc":"2.0","id":7,"m\u0065thod":"tools\/c\u0061ll","p\u0061rams":{"n\u0061me":"delete\u005fall"}}`,
  ),
  read('with white space', `\t ${CALL.replaceAll(':', ' : ').replaceAll(',', ' ,\t')}  `),
  read('with a lone surrogate', CALL.replace('}}', String.raw`,"arguments":{"x":"\ud800"}}}`)),
  doubted('behind another method', CALL.replace('"method"', '"method":"ping","method"')),
  doubted('behind other parameters', CALL.replace('"params"', '"params":{"name":"read"},"params"')),
  doubted('behind another name', CALL.replace('"name"', '"name":"read","name"')),
  doubted('with invalid UTF-8', Buffer.from(CALL.replace('}}', ',"x":"\xff"}}'), 'latin1')),
  doubted('with an overlong character', Buffer.from(CALL.replace('}}', ',"x":"\xc0\xaf"}}'), 'latin1')),
  doubted('with an id that is none', CALL.replace('7', 'null')),
  unread('in front of another method', `${CALL.slice(0, -1)},"method":"ping"}`),
  unread('in front of another name', CALL.replace('"}}', '","name":"read"}}')),
  unread('in another case', CALL.replace('"method"', '"Method"').replace('"params"', '"PARAMS"')),
  unread('in UTF-16LE', utf16(CALL, false)),
  unread('in UTF-16BE', utf16(CALL, true)),
  unread('in UTF-16LE behind a byte order mark', utf16(`\uFEFF${CALL}`, false)),
  unread('in UTF-16BE behind a byte order mark', utf16(`\uFEFF${CALL}`, true)),
  unread('before a NUL', `${CALL}\0`),
  unread('behind a NUL', `\0${CALL}`),
  unread('behind a form feed', `\f${CALL}`),
  read('behind two byte order marks', Buffer.concat([UTF8_MARK, UTF8_MARK, Buffer.from(CALL)])),
  unread('behind another message', `${HARMLESS}${CALL}`),
  unread('behind a word', `log: ${CALL}`),
  unread('with a trailing comma', CALL.replace(/\}$/, ',}')),
  unread('with a comment', CALL.replace('{', '{/**/')),
  unread('in single quotes', CALL.replaceAll('"', "'")),
  unread('in a list of lists', `[[${CALL}]]`),
  unread('cut off', CALL.slice(0, -1)),
  unread('in a message that is too long', CALL.replace('}}', `,"x":"${'x'.repeat(MAX_BYTES)}"}}`)),
];

/** Ways to hide a call from a reader of lines. */
export const HIDDEN_LINES: readonly HiddenCall[] = [
  unread('behind a carriage return', `${HARMLESS}\r${CALL}`),
  unread('on several lines', CALL.replaceAll(',', ',\n')),
  {
    ...doubted(
      'between carriage returns in another message',
      `{"jsonrpc":"2.0","id":8,"method":"ping","params":{"x":\r${CALL}\r}}`,
    ),
    isRead: false,
  },
];
