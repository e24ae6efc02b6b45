import { expect, it } from 'vitest';
import type { Direction } from '../model/entry.ts';
import { OpenRequests } from './open-requests.ts';

const call = (tool: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":{}}}`;
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';

function incoming(text: string, direction: Direction, exchange?: number, atMs = 0) {
  return { id: '', text, direction, exchange, atMs, conversation: 0, untilMs: 0 };
}

it('matches a response to the request of its exchange if several clients use the same id', () => {
  const requests = new OpenRequests();
  requests.callOf(incoming(call('first'), 'client_to_server', 1));
  requests.callOf(incoming(call('second'), 'client_to_server', 2));
  expect(requests.callOf(incoming(RESULT, 'server_to_client', 1))).toMatchObject({ name: 'first' });
  expect(requests.callOf(incoming(RESULT, 'server_to_client', 2))).toMatchObject({ name: 'second' });
});

it('matches a response on another exchange by its conversation, once', () => {
  const requests = new OpenRequests();
  requests.callOf(incoming(call('first'), 'client_to_server', 1, 100));
  const answer = incoming(RESULT, 'server_to_client', 7, 350);
  expect(requests.callOf(answer)).toEqual({ method: 'tools/call', name: 'first', status: 'ok', durationMs: 250 });
  expect(requests.callOf(answer)).toBeUndefined();
});

it('never matches a response to a request from the same side', () => {
  const requests = new OpenRequests();
  requests.callOf(incoming(call('first'), 'client_to_server'));
  expect(requests.callOf(incoming(RESULT, 'client_to_server'))).toBeUndefined();
});

it('matches the response to an edited request with the text that was sent', () => {
  const requests = new OpenRequests();
  const held = incoming(call('first'), 'client_to_server', 1, 100);
  requests.callOf(held);
  requests.edited(held, call('second'));
  expect(requests.callOf(incoming(RESULT, 'server_to_client', 1, 300))).toMatchObject({ name: 'second' });
  expect(requests.callOf(incoming(RESULT, 'server_to_client'))).toBeUndefined();
});

it('forgets a request that was edited into something else', () => {
  const requests = new OpenRequests();
  const held = incoming(call('first'), 'client_to_server');
  requests.callOf(held);
  requests.edited(held, '{"jsonrpc":"2.0","method":"notifications/x"}');
  expect(requests.callOf(incoming(RESULT, 'server_to_client'))).toBeUndefined();
});

it.each(['"1"', '"1.0"', '"0x1"', '" 1 "'])('matches a response with the id %s, which some clients read as 1', (id) => {
  const requests = new OpenRequests();
  requests.callOf(incoming(call('first'), 'client_to_server'));
  const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(JSON.parse(id))},"result":{}}`;
  expect(requests.callOf(incoming(answer, 'server_to_client'))).toMatchObject({ name: 'first' });
});

it('prefers the request with exactly the id of a response', () => {
  const requests = new OpenRequests();
  requests.callOf(incoming(call('number'), 'client_to_server'));
  requests.callOf(incoming(call('text').replace('"id":1', '"id":"1"'), 'client_to_server'));
  expect(requests.callOf(incoming(RESULT.replace('1,', '"1",'), 'server_to_client'))).toMatchObject({ name: 'text' });
});
