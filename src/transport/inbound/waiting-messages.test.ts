import { expect, it } from 'vitest';
import { UndeliveredMessages } from './waiting-messages.ts';

function waiting(): { messages: UndeliveredMessages; lost: string[] } {
  const lost: string[] = [];
  return { messages: new UndeliveredMessages(({ text }) => lost.push(text.slice(0, 20))), lost };
}

it('returns the waiting messages once and in order', () => {
  const { messages, lost } = waiting();
  messages.add('{"a":1}', { requestId: '1' });
  messages.add('{"b":2}', {});
  expect(messages.takeAll()).toEqual([
    { text: '{"a":1}', delivery: { requestId: '1' } },
    { text: '{"b":2}', delivery: {} },
  ]);
  expect(messages.takeAll()).toEqual([]);
  expect(lost).toEqual([]);
});

it('drops the oldest messages above the count limit and reports them', () => {
  const { messages, lost } = waiting();
  for (let n = 0; n < 1002; n++) messages.add(`{"n":${n}}`, {});
  expect(lost).toEqual(['{"n":0}', '{"n":1}']);
  expect(messages.takeAll()).toHaveLength(1000);
});

it('drops the oldest messages above the size limit', () => {
  const { messages, lost } = waiting();
  for (let n = 0; n < 3; n++) messages.add(`{"n":${n},"x":"${'x'.repeat(8 << 20)}"}`, {});
  expect(lost).toHaveLength(2);
  messages.loseAll();
  expect(lost).toHaveLength(3);
});
