import type { RequestedSteering } from '../feed/session-feed.ts';
import type { HeldRow } from '../session/held-messages.ts';
import type { ScreenModel } from './screen-model.ts';

/** The selected message if it is held. Otherwise shows why nothing happens. */
export function heldSelection(model: ScreenModel): HeldRow | undefined {
  const { selected, session } = model;
  if (selected?.kind === 'held' && !selected.held.isAbandoned) return selected.held;
  if (session?.feed?.steering === undefined || session.ending !== undefined)
    model.say('The session is not running: no message is held.', 'dim');
  else if (session.held.count === 0) model.say('No message is held. Press i to intercept.', 'dim');
  else model.say('This message is not held. Press n for the next held one.', 'dim');
  return undefined;
}

/** Applies a decision to the selected held message. */
export function decide(model: ScreenModel, requested: RequestedSteering, done: string): void {
  const held = heldSelection(model);
  if (held !== undefined) void settle(model, held.id, requested, done);
}

/** Sends a decision to the session; resolves with whether the session accepted it. */
export async function settle(
  model: ScreenModel,
  id: string,
  requested: RequestedSteering,
  done: string,
): Promise<boolean> {
  try {
    const hints = await model.session?.feed?.steering?.decide(id, requested);
    const isClean = hints === undefined || hints.length === 0;
    model.say(isClean ? done : `${done}: ${hints.join(' ')}`, isClean ? 'plain' : 'waiting');
    return true;
  } catch (error) {
    model.complain(error);
    return false;
  }
}

export function forwardAll(model: ScreenModel): void {
  const held = model.session?.held.rows.filter(({ isAbandoned }) => !isAbandoned) ?? [];
  if (held.length === 0) {
    heldSelection(model);
    return;
  }
  const what = held.length === 1 ? 'one message' : `${held.length} messages`;
  void Promise.all(held.map(({ id }) => settle(model, id, { action: 'forward' }, `Forwarded ${what}`)));
}

export function nextHeld(model: ScreenModel): void {
  if (model.session?.list.selectNextHeld() === true) return;
  const isHidden = (model.session?.held.rows.length ?? 0) > 0;
  model.say(isHidden ? 'Held messages are hidden by the filter. Press Esc to clear it.' : 'No message is held.', 'dim');
}

/** Switches between intercepting and passing messages through. */
export function toggleMode(model: ScreenModel): void {
  const { session } = model;
  const steering = session?.feed?.steering;
  if (steering === undefined || session?.state === undefined || session.ending !== undefined) {
    model.say('The session is not running: nothing to intercept.', 'dim');
    return;
  }
  const { mode, filter } = session.state;
  const other = mode === 'intercept' ? 'passthrough' : 'intercept';
  steering.setMode(other, filter).catch((error: unknown) => model.complain(error));
}

export function save(model: ScreenModel): void {
  const steering = model.session?.feed?.steering;
  if (steering === undefined || model.session?.ending !== undefined) {
    model.say(`Already saved: ${model.session?.place ?? ''}`, 'dim');
    return;
  }
  model.say('Saving…', 'dim');
  steering.save().then(
    (path) => model.say(`Saved to ${path}`, 'ok'),
    (error) => model.complain(error),
  );
}
