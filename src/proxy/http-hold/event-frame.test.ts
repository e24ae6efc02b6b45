import { describe, expect, it } from 'vitest';
import { eventIn, eventOf, withData, withoutData } from './event-frame.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (some: Uint8Array | undefined): string | undefined => some && Buffer.from(some).toString();

describe('an event that says something else', () => {
  it('keeps its name, its id, its retry and its line ends', () => {
    const event = 'event: message\r\nid: 7\r\ndata: {"a":\r\ndata: 1}\r\nretry: 50\r\n\r\n';
    expect(text(withData(bytes(event), '{"b":2}'))).toBe(
      'event: message\r\nid: 7\r\ndata: {"b":2}\r\nretry: 50\r\n\r\n',
    );
  });

  it('has a line of data for each line of the new text', () => {
    expect(text(withData(bytes('data:{}\n\n'), '{\n"é":2\r\n}'))).toBe('data:{\ndata:"é":2\ndata:}\n\n');
  });
});

describe('an event that goes no further', () => {
  it('leaves its id and nothing that would be taken for an event', () => {
    const event = 'event: message\nid: 7\ndata: {}\n\n';
    expect(text(withoutData(bytes(event), false))).toBe('id: 7\n\n');
    expect(eventIn(bytes('id: 7\n\n'), false)).toMatchObject({ id: '7', data: undefined });
  });

  it('leaves its id with empty data for clients that know that', () => {
    expect(text(withoutData(bytes('id: 7\r\ndata: {}\r\n\r\n'), true))).toBe('id: 7\r\ndata:\r\n\r\n');
  });

  it('leaves nothing where it had no id', () => {
    expect(withoutData(bytes('event: message\ndata: {}\n\n'), true)).toBeUndefined();
  });
});

it('says our own messages in events that can be read', () => {
  const own = '{"jsonrpc":"2.0",\n"method":"x"}';
  expect(eventIn(eventOf(own), false)).toMatchObject({ event: 'message', data: own });
});

it('takes a byte order mark for one at the start of a stream alone', () => {
  const marked = bytes('\uFEFFdata: {}\n\n');
  expect(eventIn(marked, true)).toMatchObject({ data: '{}' });
  expect(eventIn(marked, false)).toBeUndefined();
});
