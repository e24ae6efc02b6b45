import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SessionSteering } from '../feed/session-feed.ts';
import { pressKey } from './press-key.ts';
import { type ScreenDeps, ScreenModel } from './screen-model.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A screen on a session that handles the request to end in this way. */
async function screen(
  end: SessionSteering['end'],
  ownsSession = true,
): Promise<{ model: ScreenModel; left: () => number }> {
  const leave = vi.fn();
  const deps: ScreenDeps = {
    nowMs: Date.now,
    onChange: () => undefined,
    copy: () => undefined,
    edit: (text) => Promise.resolve(text),
    leave,
    replay: () => ({ result: Promise.reject(new Error('There is none.')), cancel: () => undefined }),
    env: {},
    folder: '/',
    openLive: () => Promise.reject(new Error('There is none.')),
    ownsSession,
    listening: undefined,
  };
  const model = new ScreenModel(deps);
  const steering = {
    end,
    setMode: () => Promise.resolve(),
    decide: () => Promise.resolve([]),
    save: () => Promise.resolve(''),
  };
  model.show({ place: 'trace.jsonl', isOwn: true }, () => Promise.resolve({ steering, close: () => undefined }));
  await vi.waitFor(() => expect(model.session?.feed).toBeDefined());
  return { model, left: () => leave.mock.calls.length };
}

const q = { name: 'q', text: 'q' };

it('ends the session it was started with, and stays open until it has ended', async () => {
  const end = vi.fn(() => Promise.resolve());
  const { model, left } = await screen(end);
  pressKey(model, q);
  expect(end).toHaveBeenCalledOnce();
  expect(model.remark?.text).toBe('Ending the session…');
  await vi.advanceTimersByTimeAsync(1000);
  expect(left()).toBe(0);
});

it('quits at once when ending the session fails', async () => {
  const { model, left } = await screen(() => Promise.reject(new Error('no')));
  pressKey(model, q);
  await vi.advanceTimersByTimeAsync(0);
  expect(left()).toBe(1);
});

it('quits after a timeout when the session does not respond, and at once on a second key press', async () => {
  const silent = (): Promise<void> => new Promise(() => undefined);
  const patient = await screen(silent);
  pressKey(patient.model, q);
  await vi.advanceTimersByTimeAsync(5000);
  expect(patient.left()).toBe(1);
  const hurried = await screen(silent);
  pressKey(hurried.model, q);
  pressKey(hurried.model, { name: 'ctrl+c', text: '' });
  expect(hurried.left()).toBe(1);
});

it('leaves a session running that it was not started with', async () => {
  const end = vi.fn(() => Promise.resolve());
  const { model, left } = await screen(end, false);
  pressKey(model, q);
  expect(left()).toBe(1);
  expect(end).not.toHaveBeenCalled();
});
