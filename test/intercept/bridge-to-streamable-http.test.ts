import { expect, it, onTestFinished } from 'vitest';
import { interceptContract } from './intercept-contract.ts';
import { sentBy, steer } from './steered.ts';
import { startServer } from './wire.ts';

interceptContract({
  title: 'a client over sse, a server over streamable-http',
  listen: 'sse',
  target: 'streamable-http',
  isModern: false,
});

it('sends headers that match the edited request to a server of the newest revision', async () => {
  const server = await startServer('streamable-http');
  onTestFinished(() => server.stop());
  const title = 'a client of the newest revision over stdio, a server over streamable-http';
  const wire = { title, listen: 'stdio', target: 'streamable-http', isModern: true } as const;
  const { client, screen, notes } = await steer(wire, server);
  await screen.hold('tool:echo dir:>');
  const answer = client.call('echo', { text: 'said quietly' });
  const held = await screen.nextHeld();
  const edited = held.text.replace('"echo"', '"shout"');
  await screen.live.decide(held.id, { action: 'edit', text: edited });
  expect(sentBy(await answer)).toBe('SAID QUIETLY');
  const { text, headers } = await notes.hears('said quietly');
  expect(text).toBe(edited);
  expect(headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'shout' });
  expect(await screen.recordedMessage(held)).toMatchObject({ modified: true, raw: { params: { name: 'shout' } } });
});
