import { inOneLine, ReelError } from '../../model/errors.ts';
import { recordedTarget } from '../../replay/recorded-target.ts';
import { replayableCall } from '../../replay/replayable-call.ts';
import { type KeyPress, typedInto } from './key.ts';
import { type ReplaySubject, ReplayView } from './replay-view.ts';
import type { ScreenModel } from './screen-model.ts';

/** Asks for confirmation to replay the selected call. A server is never started without it. */
export function beginReplay(model: ScreenModel): void {
  const { session, selected, deps } = model;
  if (session?.header === undefined) return;
  try {
    if (selected === undefined) throw new ReelError('usage', 'No message is selected.');
    if (selected.kind === 'held') {
      const why = selected.held.isAbandoned
        ? 'This message was never forwarded, so it has no response.'
        : 'This message is held. Decide on it first.';
      throw new ReelError('usage', why);
    }
    const call = replayableCall(session.log, selected.entry);
    const folder = session.feed?.folder ?? deps.folder;
    const target = recordedTarget(session.header, { env: deps.env, folder });
    ask(model, { call, target, isOwn: session.isOwn });
  } catch (error) {
    model.complain(error);
  }
}

function ask(model: ScreenModel, subject: ReplaySubject): void {
  model.doing = { kind: 'replaying', replay: new ReplayView(subject, model.focus) };
  model.focusOn('detail');
}

/** Handles a key press while a replay is shown. */
export function replayKey(model: ScreenModel, replay: ReplayView, key: KeyPress): void {
  const { stage } = replay;
  const { name } = key;
  if (name === 'escape') {
    if (stage.kind === 'running') stage.cancel();
    close(model, replay);
  } else if (stage.kind === 'asking') answerKey(model, replay, key);
  else if (name === 'q') model.leave();
  else if ((stage.kind === 'done' || stage.kind === 'failed') && (name === 'r' || name === 'f9')) {
    replay.stage = { kind: 'asking' };
  } else if (name === 'return') replay.pane.toggle();
  else replay.pane.press(name, model.pageRows);
}

/** Enter never sends: a user who presses it without reading must not run a command. */
function answerKey(model: ScreenModel, replay: ReplayView, key: KeyPress): void {
  const { name } = key;
  if (replay.mustType) typeKey(model, replay, key);
  else if (name === 'q') model.leave();
  else if (name === 'n' || name === 'return') close(model, replay);
  else if (name !== 'y') replay.scroll(name, model.pageRows);
  else if (replay.isSeen) void run(model, replay);
  else model.say('Scroll to the end of the command first.', 'waiting');
}

/** Letters go into the command that is typed; the arrow keys and page keys scroll. */
function typeKey(model: ScreenModel, replay: ReplayView, key: KeyPress): void {
  const changed = typedInto(replay.typed, key);
  if (changed !== undefined) replay.typed = changed;
  else if (key.name !== 'return') replay.scroll(key.name, model.pageRows);
  else if (replay.typed === '') close(model, replay);
  else if (!replay.compareTyped()) model.say('That differs from the recorded one. Nothing was sent.', 'error');
}

function close(model: ScreenModel, { cameFrom, stage }: ReplayView): void {
  model.doing = { kind: 'browsing' };
  model.focusOn(cameFrom);
  if (stage.kind === 'running') model.say('The replay was cancelled.', 'dim');
}

async function run(model: ScreenModel, replay: ReplayView): Promise<void> {
  const { call, target } = replay;
  const header = model.session?.header;
  if (header === undefined) return;
  const { result, cancel } = model.deps.replay({ header, call, target });
  const running = { kind: 'running', sinceMs: model.deps.nowMs(), cancel } as const;
  replay.stage = running;
  const stage = await result.then(
    (came) => ({ kind: 'done', ...came }) as const,
    (error: unknown) => ({ kind: 'failed', why: inOneLine(error) }) as const,
  );
  if (replay.stage !== running) return;
  replay.stage = stage;
  model.deps.onChange();
}
