import { expect, it } from 'vitest';
import type { SessionSteering } from '../feed/session-feed.ts';
import { pressKey } from './press-key.ts';
import { ScreenModel } from './screen-model.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}';
const key = (name: string): { name: string; text: string } => ({ name, text: name.length === 1 ? name : '' });

/** A screen on a session that holds two calls and handles decisions in this way. */
async function screen(decide: SessionSteering['decide']): Promise<ScreenModel> {
  const model = new ScreenModel({
    nowMs: () => 0,
    onChange: () => undefined,
    copy: () => undefined,
    edit: (text) => Promise.resolve(text),
    leave: () => undefined,
    replay: () => ({ result: Promise.reject(new Error('There is none.')), cancel: () => undefined }),
    env: {},
    folder: '/',
    openLive: () => Promise.reject(new Error('There is none.')),
    ownsSession: false,
    listening: undefined,
  });
  const steering = { decide, end: async () => undefined, setMode: async () => undefined, save: async () => '' };
  model.show({ place: 'trace.jsonl', isOwn: true }, async (view) => {
    for (const id of ['first', 'second'])
      view.onHeld({ id, direction: 'client_to_server', text: CALL, atMs: 0, untilMs: 30_000, conversation: 0 });
    return { steering, close: () => undefined };
  });
  await expect.poll(() => model.session?.feed).toBeDefined();
  return model;
}

it('closes the editor when the message is sent', async () => {
  const model = await screen(async () => []);
  for (const name of ['m', 'ctrl+s']) pressKey(model, key(name));
  await expect.poll(() => model.doing.kind).toBe('browsing');
  expect(model.remark?.text).toBe('Sent');
});

it('keeps the next editor open when the previous message is sent', async () => {
  let taken = (): void => undefined;
  const model = await screen(
    () =>
      new Promise((resolve) => {
        taken = () => resolve([]);
      }),
  );
  for (const name of ['m', 'ctrl+s', 'escape', 'n', 'm']) pressKey(model, key(name));
  const writing = model.doing;
  expect(writing).toMatchObject({ kind: 'writing', heldId: 'second' });
  taken();
  await expect.poll(() => model.remark?.text).toBe('Sent');
  expect(model.doing).toBe(writing);
});

it('reports that a message was forwarded while it was being edited', async () => {
  const model = await screen(async () => []);
  pressKey(model, key('m'));
  model.session?.onReleased({ id: 'first', action: 'forward', by: 'timeout' });
  expect(model.remark?.text).toBe('The message was forwarded: timeout. Press Esc to go back.');
});
