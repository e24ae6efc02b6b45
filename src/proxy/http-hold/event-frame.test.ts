import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../../test/support/growth.ts';
import { eventIn, eventOf, watchedEvent, withData, withoutData } from './event-frame.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (some: Uint8Array | undefined): string | undefined => some && Buffer.from(some).toString();

describe('withData', () => {
  it('keeps the name, id, retry and line endings of the event', () => {
    const event = 'event: message\r\nid: 7\r\ndata: {"a":\r\ndata: 1}\r\nretry: 50\r\n\r\n';
    expect(text(withData(bytes(event), '{"b":2}'))).toBe(
      'event: message\r\nid: 7\r\ndata: {"b":2}\r\nretry: 50\r\n\r\n',
    );
  });

  it('writes one data line for each line of the new text', () => {
    expect(text(withData(bytes('data:{}\n\n'), '{\n"é":2\r\n}'))).toBe('data:{\ndata:"é":2\ndata:}\n\n');
  });
});

describe('withoutData', () => {
  it('keeps the id and nothing that would be parsed as an event', () => {
    const event = 'event: message\nid: 7\ndata: {}\n\n';
    expect(text(withoutData(bytes(event), false))).toBe('id: 7\n\n');
    expect(eventIn(bytes('id: 7\n\n'), false)).toMatchObject({ id: '7', data: undefined });
  });

  it('keeps the id with empty data for clients that support it', () => {
    expect(text(withoutData(bytes('id: 7\r\ndata: {}\r\n\r\n'), true))).toBe('id: 7\r\ndata:\r\n\r\n');
  });

  it('returns nothing for an event without an id', () => {
    expect(withoutData(bytes('event: message\ndata: {}\n\n'), true)).toBeUndefined();
  });
});

it('eventOf writes an injected message as a readable event', () => {
  const own = '{"jsonrpc":"2.0",\n"method":"x"}';
  expect(eventIn(eventOf(own), false)).toMatchObject({ event: 'message', data: own });
});

it('eventIn accepts a byte order mark only at the start of a stream', () => {
  const marked = bytes('\uFEFFdata: {}\n\n');
  expect(eventIn(marked, true)).toMatchObject({ data: '{}' });
  expect(eventIn(marked, false)).toBeUndefined();
});

describe('watchedEvent', () => {
  it('marks an event with a line end that only some clients know', () => {
    for (const end of ['\v', '\f', '\u0085', '\u2028', '\v \t']) {
      const event = bytes(`data: {"jsonrpc":"2.0","method":"a"}${end}data: {}\n\n`);
      expect(watchedEvent(event, false)).toMatchObject({
        kind: 'unread',
        why: 'its line ends are not those of an event',
      });
    }
  });

  it('reads and changes an event of other line ends or of one endless line in linear time', async () => {
    for (const unit of ['\v', '\u2028 ', 'x']) {
      const [small, large] = [10_000, 80_000].map((length) => bytes(`data: ${unit.repeat(length)}`));
      const work = (event: Uint8Array | undefined) => () => {
        watchedEvent(event ?? bytes(''), false);
        withData(event ?? bytes(''), '{}');
      };
      await expectLinearGrowth({ small: work(small), large: work(large), times: 8 });
    }
  });
});
