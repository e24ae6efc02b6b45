import { once } from 'node:events';
import { type ClientRequest, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readBody } from '../inbound/request-body.ts';
import { BodyBudget } from './body-budget.ts';

/** A server that reads bodies within a budget of 1000 bytes, and answers with what came of each. */
async function reading(): Promise<{ post: () => ClientRequest; notes: string[] }> {
  const notes: string[] = [];
  const budget = new BodyBudget((line) => notes.push(line), 1000);
  const server = createServer((incoming, response) => {
    void readBody(incoming, 1 << 20, budget).then(({ kind, release }) => {
      response.end(kind);
      release();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = (): ClientRequest => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', agent: false });
    sent.on('error', () => undefined);
    return sent;
  };
  return { post, notes };
}

async function answerTo(sent: ClientRequest): Promise<string> {
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
  let text = '';
  for await (const chunk of response) text += chunk.toString();
  return text;
}

it('refuses the body that exceeds the limit of all waiting bodies, and reads the others', async () => {
  const { post, notes } = await reading();
  const first = post();
  first.write('a'.repeat(600));
  // The server answers in order of arrival, so the first body has arrived when a small one is answered.
  const small = post();
  small.end('b'.repeat(100));
  expect(await answerTo(small)).toBe('text');
  const second = post();
  second.write('c'.repeat(600));
  expect(await answerTo(second)).toBe('too-many');
  first.end('a');
  expect(await answerTo(first)).toBe('text');
  const third = post();
  third.end('d'.repeat(900));
  expect(await answerTo(third)).toBe('text');
  expect(notes).toHaveLength(1);
});

it('counts no body of a client that has left', async () => {
  const { post } = await reading();
  const answered = (length: number): Promise<string> => {
    const sent = post();
    sent.end('b'.repeat(length));
    return answerTo(sent);
  };
  const left = post();
  left.write('a'.repeat(900));
  await expect.poll(() => answered(200)).toBe('too-many');
  left.destroy();
  await expect.poll(() => answered(900)).toBe('text');
});
