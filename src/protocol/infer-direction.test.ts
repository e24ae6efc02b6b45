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
  it('takes requests for the client’s and answers for the server’s', () => {
    expect(senders(ask('1', 'initialize'), answer('1'), ask('2', 'tools/call'), '{"id":2,"error":{}}')).toBe('><><');
  });

  it('knows the requests that only servers send, and who answers them', () => {
    for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list']) {
      expect(senders(ask('1', method), answer('1'))).toBe('<>');
    }
  });

  it('lets a response answer the server’s open request of its id first', () => {
    const exchange = [ask('1', 'tools/call'), ask('1', 'sampling/createMessage'), answer('1'), answer('1')];
    expect(senders(...exchange)).toBe('><><');
  });

  it('takes a ping for the server’s only while a request of the client’s with its id is open', () => {
    expect(senders(ask('1', 'ping'), answer('1'))).toBe('><');
    expect(senders(ask('1', 'tools/call'), ask('1', 'ping'), answer('1'), answer('1'))).toBe('><><');
    expect(senders(ask('1', 'tools/call'), ask('"1"', 'ping'))).toBe('>>');
    expect(senders(ask('1', 'tools/call'), answer('1'), ask('1', 'ping'))).toBe('><>');
  });

  it('counts requests that share an id', () => {
    const exchange = [ask('1', 'roots/list'), ask('1', 'roots/list'), answer('1.0'), answer('1'), answer('1')];
    expect(senders(...exchange)).toBe('<<>><');
  });

  it('knows who sends a notification', () => {
    const ofServer = ['message', 'progress', 'tools/list_changed', 'resources/updated'];
    expect(senders(...ofServer.map((name) => notify(`notifications/${name}`)))).toBe('<<<<');
    expect(senders(notify('notifications/initialized'), notify('notifications/cancelled'), notify('x'))).toBe('>>>');
  });

  it('takes an answer without an id, and what is no message, for the server’s', () => {
    expect(senders('{"id":null,"error":{}}', '{}', 'no JSON')).toBe('<<<');
  });
});

describe('usualSender', () => {
  it('is the client where the protocol leaves it open', () => {
    for (const method of ['', 'initialize', 'ping', 'roots/list_extra', 'notifications/roots/list_changed']) {
      expect(usualSender(method)).toBe('client_to_server');
    }
  });
});
