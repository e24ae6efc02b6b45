import { expect, it, vi } from 'vitest';
import type { ConnectedV2 } from '../support/sdk-clients.ts';
import { expectUnheard, isAction, isMethod, type SavedMessage, saved, sentBy, steer } from './steered.ts';
import type { NotingServer, Wire } from './wire.ts';

/** Tests decisions on held messages. */
export function decisionsContract(wire: Wire, server: () => NotingServer): void {
  it('forwards an edited call, returns its response, and records both versions', async () => {
    const steered = await steer(wire, server());
    const { client, screen, notes } = steered;
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: 'original query' });
    const held = await screen.nextHeld();
    expect(JSON.parse(held.text)).toMatchObject({ method: 'tools/call', params: { name: 'echo' } });
    const edited = held.text.replace('original query', 'MODIFIED QUERY');
    expect(await screen.live.decide(held.id, { action: 'edit', text: edited })).toMatchObject({ hints: [] });
    expect(sentBy(await answer)).toBe('MODIFIED QUERY');
    expect((await notes.hears('MODIFIED QUERY')).text).toBe(edited);
    expect(notes.order('original query')).toEqual([]);

    await screen.recorded(({ corr }) => corr === held.id);
    const { text, messages } = await saved(steered);
    expect(text).toContain(`"payload": ${edited}`);
    expect(text).toContain(`"original_payload": ${held.text}`);
    expect(find(messages, held.id)).toMatchObject({
      direction: 'client_to_server',
      method: 'tools/call',
      correlated_id: null,
      modified: true,
      payload: JSON.parse(edited) as unknown,
      original_payload: JSON.parse(held.text) as unknown,
    });
    const [response, ...others] = messages.filter((message) => message.correlated_id === held.id);
    expect(others).toEqual([]);
    expect(response).toMatchObject({ modified: false, method: null, direction: 'server_to_client' });
    expect(response).not.toHaveProperty('original_payload');
  });

  it('returns an edited response, and records both versions', async () => {
    const steered = await steer(wire, server());
    const { client, screen, notes } = steered;
    await screen.hold('tool:echo dir:<');
    const answer = client.call('echo', { text: 'what the server says' });
    const held = await screen.nextHeld();
    expect(held.direction).toBe('server_to_client');
    await notes.hears('what the server says');
    const edited = held.text.replace('what the server says', 'what the client hears');
    await screen.live.decide(held.id, { action: 'edit', text: edited });
    expect(sentBy(await answer)).toBe('what the client hears');

    const line = await screen.recordedMessage(held);
    const { text, messages } = await saved(steered);
    expect(text).toContain(`"original_payload": ${held.text}`);
    expect(find(messages, held.id)).toMatchObject({
      modified: true,
      payload: JSON.parse(edited) as unknown,
      original_payload: JSON.parse(held.text) as unknown,
      correlated_id: line.corr,
    });
    expect(find(messages, line.corr)).toMatchObject({ method: 'tools/call', modified: false });
  });

  it('adapts the envelope to an edit that turns it into another request', async () => {
    const steered = await steer(wire, server());
    const { client, screen, notes } = steered;
    await screen.hold('tool:echo dir:>');
    // A client may reject a response to a request it did not send.
    const answer = client.call('echo', { text: 'not to be said' }).catch(() => undefined);
    const held = await screen.nextHeld();
    const { params, ...rest } = JSON.parse(held.text) as { params: { _meta?: unknown } };
    const edited = JSON.stringify({ ...rest, method: 'tools/list', params: { _meta: params._meta } });
    await screen.live.decide(held.id, { action: 'edit', text: edited });
    await answer;
    expect(JSON.stringify(client.noted.received)).toContain('"tools":[');
    const { text, headers } = await notes.hears('tools/list');
    expect(text).toBe(edited);
    if (wire.isModern && headers !== undefined) expect(headers).toMatchObject({ 'mcp-method': 'tools/list' });
    expect(headers ?? {}).not.toHaveProperty('mcp-name');

    await screen.recorded(({ corr }) => corr === held.id);
    const { messages } = await saved(steered);
    expect(find(messages, held.id)).toMatchObject({ method: 'tools/list', original_payload: { method: 'tools/call' } });
  });

  it('treats an edit that changes only whitespace as a forward', async () => {
    const steered = await steer(wire, server());
    const { client, screen, notes } = steered;
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: 'laid out anew' });
    const held = await screen.nextHeld();
    await screen.live.decide(held.id, { action: 'edit', text: JSON.stringify(JSON.parse(held.text), null, 2) });
    expect(sentBy(await answer)).toBe('laid out anew');
    expect((await notes.hears('laid out anew')).text).toBe(held.text);
    expect(await screen.releaseOf(held)).toMatchObject({ decision: { action: 'forward' }, by: 'screen' });
    await screen.recorded(({ corr }) => corr === held.id);
    const message = find((await saved(steered)).messages, held.id);
    expect(message).toMatchObject({ modified: false });
    expect(message).not.toHaveProperty('original_payload');
  });

  it('hides a dropped notification from the client, and the call still completes', async () => {
    const { client, screen } = await steer(wire, server());
    await screen.hold('kind:notification dir:<');
    const answer = client.call('tell', { text: 'not for the client' }, { onprogress: () => undefined });
    const held = await screen.nextHeld();
    expect(JSON.parse(held.text)).toMatchObject({ params: { message: 'not for the client' } });
    await screen.live.decide(held.id, { action: 'drop' });
    expect(sentBy(await answer)).toBe('told');
    expect(JSON.stringify(client.noted.received)).not.toContain('not for the client');
    expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true, dir: 'out' });
    const released = await screen.recorded(({ raw }) => isAction(raw, 'release', held.id));
    expect(released.raw).toMatchObject({ as: 'drop', by: 'screen', ms: expect.any(Number) as number });
  });

  // In the newest revision, clients send no such notification and servers send no requests.
  if (!wire.isModern) {
    it('hides a dropped notification from the server', async () => {
      const steered = await steer(wire, server());
      const { client, screen } = steered;
      await screen.hold('kind:notification dir:>');
      const sent = client.client.sendRootsListChanged();
      const held = await screen.nextHeld();
      await screen.live.decide(held.id, { action: 'drop' });
      await sent;
      expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true, dir: 'in' });
      await expectUnheard(steered, 'notifications/roots/list_changed');
    });

    it('answers a server request in place of the client', async () => {
      const { client, screen, notes } = await steer(wire, server());
      await screen.hold('method:roots/list dir:<');
      const answer = client.call('ask', { text: '' });
      const held = await screen.nextHeld();
      const result = '{"roots":[{"uri":"file:///by/hand","name":"by hand"}]}';
      await screen.live.decide(held.id, { action: 'answer', result });
      expect(sentBy(await answer)).toBe('by hand');
      await notes.hears('file:///by/hand');
      expect(JSON.stringify(client.noted.received)).not.toContain('roots/list');
      expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true, dir: 'out' });
      expect(await screen.recorded(({ corr }) => corr === held.id)).toMatchObject({ injected: true, dir: 'in' });
    });
  }

  it('answers a request with a custom result', async () => {
    const steered = await steer(wire, server());
    const { client, screen, notes } = steered;
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: 'never asked' });
    const held = await screen.nextHeld();
    const content = [{ type: 'text', text: 'from the screen' }];
    await screen.live.decide(held.id, {
      action: 'answer',
      result: JSON.stringify({ content, resultType: 'complete' }),
    });
    expect(sentBy(await answer)).toBe('from the screen');
    await expectUnheard(steered, 'never asked');
    expect(notes.order('from the screen')).toEqual([]);

    await screen.recorded(({ corr }) => corr === held.id);
    const { messages } = await saved(steered);
    expect(find(messages, held.id)).toMatchObject({ dropped: true, modified: false });
    expect(messages.filter((message) => message.correlated_id === held.id)).toMatchObject([
      { injected: true, direction: 'server_to_client', payload: { result: { content } } },
    ]);
  });

  it('answers a request with a custom error', async () => {
    const steered = await steer(wire, server());
    const { client, screen } = steered;
    await screen.hold('tool:echo dir:>');
    const refused = expect(client.call('echo', { text: 'never failed' })).rejects.toThrow('Not today');
    const held = await screen.nextHeld();
    await screen.live.decide(held.id, { action: 'answer', error: '{"code":-32001,"message":"Not today"}' });
    await refused;
    await expectUnheard(steered, 'never failed');
    const response = await screen.recorded(({ corr }) => corr === held.id);
    expect(response).toMatchObject({ injected: true, dir: 'out', raw: { error: { code: -32001 } } });
  });

  it('asks for confirmation of invalid JSON, and then sends it', async () => {
    const { client, screen, notes } = await steer(wire, server());
    await screen.hold('tool:echo dir:>');
    const abort = new AbortController();
    const givenUp = expect(client.call('echo', { text: 'well formed' }, { signal: abort.signal })).rejects.toThrow();
    const held = await screen.nextHeld();
    const broken = `${held.text.replace('well formed', 'ill formed')}}`;
    await expect(screen.live.decide(held.id, { action: 'edit', text: broken })).rejects.toMatchObject({
      message: 'The text is not JSON',
      hint: expect.stringContaining('"confirm":true') as string,
    });
    const done = await screen.live.decide(held.id, { action: 'edit', text: broken, confirmed: true });
    expect(done.hints).toEqual(['The message is not JSON.']);
    expect((await notes.hears('ill formed')).text).toBe(broken);
    const line = await screen.recordedMessage(held);
    const seen = JSON.parse(held.text) as unknown;
    expect(line).toMatchObject({ modified: true, raw: seen, original: seen, rawText: broken });
    abort.abort('enough');
    await givenUp;
  });

  it('sends an injected message to the server, and records it as injected', async () => {
    const steered = await steer(wire, server());
    const { screen, notes } = steered;
    const text = '{"jsonrpc":"2.0","method":"notifications/injected","params":{"to":"the server"}}';
    await screen.live.inject({ direction: 'client_to_server', text });
    expect((await notes.hears('notifications/injected')).text).toBe(text);
    const line = await screen.recorded(({ raw }) => isMethod(raw, 'notifications/injected'));
    expect(line).toMatchObject({ injected: true, dir: 'in' });
    await screen.recorded(({ raw }) => isAction(raw, 'inject'));
  });

  it('sends an injected message to the client, and records it as injected', async () => {
    const { client, screen } = await steer(wire, server());
    // In the newest revision, only subscribed clients receive notifications.
    if ('listen' in client) await (client as ConnectedV2).listen({ toolsListChanged: true });
    const text = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"by hand"}}';
    // A client that supports notifications may not have opened its stream yet.
    await vi.waitFor(() => screen.live.inject({ direction: 'server_to_client', text }));
    await client.noted.hears('notifications/message');
    expect(client.noted.received).toContainEqual(JSON.parse(text));
    const line = await screen.recorded(({ raw }) => isMethod(raw, 'notifications/message'));
    expect(line).toMatchObject({ injected: true, dir: 'out' });
    await screen.recorded(({ raw }) => isAction(raw, 'inject'));
  });
}

function find(messages: readonly SavedMessage[], id: unknown): SavedMessage | undefined {
  return messages.find((message) => message.proxy_id === id);
}
