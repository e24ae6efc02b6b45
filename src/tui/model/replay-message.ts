import { inOneLine, ReelError } from '../../model/errors.ts';
import { recordedTarget, targetWords } from '../../replay/recorded-target.ts';
import type { ReplayTarget } from '../../replay/replay-options.ts';
import { type ReplayableCall, replayableCall } from '../../replay/replayable-call.ts';
import type { KeyPress } from './key.ts';
import { ReplayView } from './replay-view.ts';
import type { ScreenModel } from './screen-model.ts';

/** The target for each replay that awaits confirmation. */
const targets = new WeakMap<ReplayView, ReplayTarget>();

/** Asks for confirmation to replay the selected call. A server is never started without it. */
export function beginReplay(model: ScreenModel): void {
  const { session, selected, deps } = model;
  if (session?.header === undefined) return;
  try {
    if (selected === undefined) throw new ReelError('usage', 'Nothing is selected.');
    if (selected.kind === 'held') {
      const why = selected.held.isAbandoned ? 'It never went on: it has no answer.' : 'It is held: decide on it first.';
      throw new ReelError('usage', why);
    }
    const call = replayableCall(session.log, selected.entry);
    const folder = session.feed?.folder ?? deps.folder;
    const target = recordedTarget(session.header, { env: deps.env, folder });
    ask(model, call, target);
  } catch (error) {
    model.complain(error);
  }
}

function ask(model: ScreenModel, call: ReplayableCall, target: ReplayTarget): void {
  const replay = new ReplayView(call, targetWords(target), model.focus);
  targets.set(replay, target);
  model.doing = { kind: 'replaying', replay };
  model.focusOn('detail');
}

/** Handles a key press while a replay is shown. */
export function replayKey(model: ScreenModel, replay: ReplayView, { name }: KeyPress): void {
  const { stage } = replay;
  if (name === 'escape') {
    if (stage.kind === 'running') stage.cancel();
    close(model, replay);
  } else if (name === 'q') model.leave();
  else if (stage.kind === 'asking' && (name === 'y' || name === 'return')) void run(model, replay);
  else if (stage.kind === 'asking' && name === 'n') close(model, replay);
  else if ((stage.kind === 'done' || stage.kind === 'failed') && (name === 'r' || name === 'f9')) {
    replay.stage = { kind: 'asking' };
  } else if (name === 'return') replay.pane.toggle();
  else replay.pane.press(name, model.pageRows);
}

function close(model: ScreenModel, { cameFrom, stage }: ReplayView): void {
  model.doing = { kind: 'browsing' };
  model.focusOn(cameFrom);
  if (stage.kind === 'running') model.say('The replay was cancelled.', 'dim');
}

async function run(model: ScreenModel, replay: ReplayView): Promise<void> {
  const target = targets.get(replay);
  const header = model.session?.header;
  if (target === undefined || header === undefined) return;
  const { result, cancel } = model.deps.replay({ header, call: replay.call, target });
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
