import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Screen } from '../intercept/screen.ts';
import { endedTrace, sentBy, steer } from '../intercept/steered.ts';
import { type NotingServer, startServer, type Wire } from '../intercept/wire.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';

const WIRES: readonly Wire[] = [
  { title: 'a program behind Streamable HTTP', listen: 'streamable-http', target: 'stdio', isModern: false },
  { title: 'Streamable HTTP', listen: 'streamable-http', target: 'streamable-http', isModern: false },
];

describe.each(WIRES)('an end request to the socket of a $title session', { timeout: 60_000 }, (wire) => {
  let server: NotingServer;
  beforeEach(async () => {
    server = await startServer(wire.target);
  });
  afterEach(() => server.stop());

  it('forwards held messages, and writes the session file', async () => {
    const flags = ['--hold', 'tool:* >', '--hold-timeout', '60', '--session-file', 'kept.json'];
    const steered = await steer(wire, server, flags);
    const { screen, client, notes, place } = steered;
    await screen.live.takeCharge();
    const answer = client.call('echo', { text: 'the last words' }).then(sentBy, () => 'cut off');
    await screen.nextHeld();
    await screen.live.requestEnd();
    expect(await screen.live.over).toBe('ended');
    await notes.hears('the last words');
    expect(['the last words', 'cut off']).toContain(await answer);
    await endedTrace(steered);
    await vi.waitFor(() => expect(place.read('kept.json')).toContain('the last words'));
  });
});

it('A stdio session stops its server and writes its session file on an end request to its socket', async () => {
  const place = new Place();
  const session = place.start(['--session-file', 'kept.json', '--', ...echoServer]);
  session.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"last"}}\n');
  await session.sent('last');
  const { live } = await Screen.open(place);
  await live.requestEnd();
  expect(await live.over).toBe('ended');
  expect((await session.ended).code).toBe(130);
  expect(place.read('kept.json')).toContain('"last"');
});
