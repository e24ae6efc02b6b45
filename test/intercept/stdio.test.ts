import { expect, it, onTestFinished } from 'vitest';
import { interceptContract } from './intercept-contract.ts';
import { saved, sentBy, steer } from './steered.ts';
import { startServer, type Wire } from './wire.ts';

const wire = { listen: 'stdio', target: 'stdio' } as const;
const legacy: Wire = { ...wire, title: 'a client with a handshake on stdio', isModern: false };

interceptContract(legacy, { isWhole: true });
interceptContract({ ...wire, title: 'a client of the newest revision on stdio', isModern: true });

it('pairs a response with the request whose id was edited', async () => {
  const server = await startServer('stdio');
  onTestFinished(() => server.stop());
  const steered = await steer(legacy, server);
  const { client, screen } = steered;
  await screen.hold('tool:echo dir:>');
  const abort = new AbortController();
  const givenUp = expect(client.call('echo', { text: 'whose?' }, { signal: abort.signal })).rejects.toThrow('enough');
  const held = await screen.nextHeld();
  const { id } = JSON.parse(held.text) as { id: number };
  const edited = held.text.replace(`"id":${id}`, '"id":"another"');
  await screen.live.decide(held.id, { action: 'edit', text: edited });
  const answer = await screen.recorded(({ corr }) => corr === held.id);
  expect(answer.raw).toMatchObject({ id: 'another', result: { content: [{ text: 'whose?' }] } });
  abort.abort('enough');
  await givenUp;
  const { messages } = await saved(steered);
  expect(messages.filter(({ jsonrpc_id }) => jsonrpc_id === 'another')).toMatchObject([
    { proxy_id: held.id, modified: true, original_payload: { id } },
    { correlated_id: held.id, modified: false },
  ]);
});

it('keeps an edit with line breaks on one line', async () => {
  const server = await startServer('stdio');
  onTestFinished(() => server.stop());
  const { client, screen, notes } = await steer(legacy, server);
  await screen.hold('tool:echo dir:>');
  const answer = client.call('echo', { text: 'flat' });
  const held = await screen.nextHeld();
  const laidOut = JSON.stringify(JSON.parse(held.text.replace('flat', 'on several lines')), null, 2);
  await screen.live.decide(held.id, { action: 'edit', text: laidOut });
  expect(sentBy(await answer)).toBe('on several lines');
  const { text } = await notes.hears('on several lines');
  expect(JSON.parse(text)).toEqual(JSON.parse(laidOut));
  expect(await screen.recordedMessage(held)).toMatchObject({ modified: true, raw: JSON.parse(laidOut) as unknown });
});

it('continues to hold messages after a signal that the server survives', async () => {
  const server = await startServer('stdio');
  onTestFinished(() => server.stop());
  const { client, screen } = await steer(legacy, server);
  await screen.hold('tool:echo dir:>');
  const first = client.call('echo', { text: 'before the signal' });
  await screen.nextHeld();
  process.kill(screen.live.facts.pid, 'SIGINT');
  expect(sentBy(await first)).toBe('before the signal');
  const second = client.call('echo', { text: 'after the signal' });
  const held = await screen.nextHeld();
  expect(held.text).toContain('after the signal');
  await screen.live.decide(held.id, { action: 'forward' });
  expect(sentBy(await second)).toBe('after the signal');
});
