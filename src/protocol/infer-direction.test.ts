import { describe, expect, it } from 'vitest';
import { readEnvelope } from './envelope.ts';
import { DirectionInference } from './infer-direction.ts';
import { usualSender } from './methods.ts';

/** The sender of each message: `>` the client, `<` the server. */
function senders(...texts: readonly string[]): string {
  const inference = new DirectionInference();
  return texts.map((text) => (inference.directionOf(readEnvelope(text)) === 'client_to_server' ? '>' : '<')).join('');
}

const ask = (id: string, method: string): string => `{"id":${id},"method":"${method}"}`;
const answer = (id: string): string => `{"id":${id},"result":{}}`;
const notify = (method: string): string => `{"method":"${method}"}`;

describe('DirectionInference', () => {
  it('attributes requests to the client and responses to the server', () => {
    expect(senders(ask('1', 'initialize'), answer('1'), ask('2', 'tools/call'), '{"id":2,"error":{}}')).toBe('><><');
  });

  it('attributes server-only requests to the server, and their responses to the client', () => {
    for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list']) {
      expect(senders(ask('1', method), answer('1'))).toBe('<>');
    }
  });

  it('matches a response to the server’s open request with its id first', () => {
    const exchange = [ask('1', 'tools/call'), ask('1', 'sampling/createMessage'), answer('1'), answer('1')];
    expect(senders(...exchange)).toBe('><><');
  });

  it('attributes a ping to the server only while a client request with the same id is open', () => {
    expect(senders(ask('1', 'ping'), answer('1'))).toBe('><');
    expect(senders(ask('1', 'tools/call'), ask('1', 'ping'), answer('1'), answer('1'))).toBe('><><');
    expect(senders(ask('1', 'tools/call'), ask('"1"', 'ping'))).toBe('>>');
    expect(senders(ask('1', 'tools/call'), answer('1'), ask('1', 'ping'))).toBe('><>');
  });

  it('counts requests that share an id', () => {
    const exchange = [ask('1', 'roots/list'), ask('1', 'roots/list'), answer('1.0'), answer('1'), answer('1')];
    expect(senders(...exchange)).toBe('<<>><');
  });

  it('infers the sender of a notification from its method', () => {
    const ofServer = ['message', 'progress', 'tools/list_changed', 'resources/updated'];
    expect(senders(...ofServer.map((name) => notify(`notifications/${name}`)))).toBe('<<<<');
    expect(senders(notify('notifications/initialized'), notify('notifications/cancelled'), notify('x'))).toBe('>>>');
  });

  it('attributes a response without an id, and anything but a message, to the server', () => {
    expect(senders('{"id":null,"error":{}}', '{}', 'no JSON')).toBe('<<<');
  });
});

describe('usualSender', () => {
  it('returns the client where the protocol allows either side', () => {
    for (const method of ['', 'initialize', 'ping', 'roots/list_extra', 'notifications/roots/list_changed']) {
      expect(usualSender(method)).toBe('client_to_server');
    }
  });
});
