import { expect, it } from 'vitest';
import type { Direction, Entry } from '../model/entry.ts';
import { PendingRequests } from './pending-requests.ts';

function message(direction: Direction, text: string): Entry {
  return { kind: 'message', sequence: 0, proxyId: '', atMs: 0, direction, text };
}

const REQUEST = message('client_to_server', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}');

it.each([
  ['is answered', [message('server_to_client', '{"jsonrpc":"2.0","id":1,"result":{}}')], false],
  ['fails', [message('server_to_client', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}')], false],
  [
    'is cancelled',
    [message('client_to_server', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')],
    false,
  ],
  [
    'is followed by the answer to another one',
    [message('server_to_client', '{"jsonrpc":"2.0","id":"1","result":{}}')],
    true,
  ],
  [
    'crosses a request of the server with its id',
    [message('server_to_client', '{"jsonrpc":"2.0","id":1,"method":"ping"}')],
    true,
  ],
  [
    'crosses an answer of the client with its id',
    [message('client_to_server', '{"jsonrpc":"2.0","id":1,"result":{}}')],
    true,
  ],
  [
    'is followed by a notification',
    [message('client_to_server', '{"jsonrpc":"2.0","method":"notifications/x"}')],
    true,
  ],
])('tracks whether a request is still pending if it %s', (_, entries, expected) => {
  const requests = new PendingRequests();
  expect(requests.any).toBe(false);
  requests.see([REQUEST]);
  expect(requests.any).toBe(true);
  requests.see(entries);
  expect(requests.any).toBe(expected);
});
