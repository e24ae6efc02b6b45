import { clearFilter } from './clear-filter.ts';
import { decide, forwardAll, nextHeld, save, toggleMode } from './decide.ts';
import { type KeyPress, stepOf } from './key.ts';
import { beginReplay } from './replay-message.ts';
import type { ScreenModel } from './screen-model.ts';
import { selectedText } from './selected-text.ts';
import { beginAnswer, beginEdit, editOutside } from './write-message.ts';

/** Handles a key press while the user browses. */
export function browse(model: ScreenModel, key: KeyPress): void {
  const act = ACTIONS[key.name];
  if (act !== undefined) act(model);
  else move(model, key);
}

type BrowseAction = (model: ScreenModel) => void;

const ACTIONS: Readonly<Record<string, BrowseAction>> = {
  q: (model) => model.leave(),
  i: toggleMode,
  f: (model) => decide(model, { action: 'forward' }, 'Forwarded'),
  f5: (model) => decide(model, { action: 'forward' }, 'Forwarded'),
  d: (model) => decide(model, { action: 'drop' }, 'Dropped'),
  f8: (model) => decide(model, { action: 'drop' }, 'Dropped'),
  m: beginEdit,
  f6: beginEdit,
  a: beginAnswer,
  e: editOutside,
  F: forwardAll,
  n: nextHeld,
  s: save,
  r: beginReplay,
  f9: beginReplay,
  x: jump,
  y: copy,
  tab: (model) => model.focusNext(),
  '/': look,
  '?': (model) => {
    model.doing = { kind: 'helping', top: 0 };
  },
  return: open,
  escape: back,
};

function look(model: ScreenModel): void {
  if (model.focus === 'detail') model.doing = { kind: 'searching', text: '' };
  else if (model.session !== undefined) {
    model.doing = { kind: 'filtering', text: model.filterText, fault: undefined };
  }
}

function open(model: ScreenModel): void {
  const { focus } = model;
  if (focus === 'sessions') {
    const session = model.running[model.chosen];
    if (session !== undefined) model.showLive(session);
  } else if (focus === 'list') model.focusOn('detail');
  else model.session?.detail.toggle();
}

/** Goes back one step: search, then detail, then filter. */
function back(model: ScreenModel): void {
  if (model.focus === 'detail' && model.session?.detail.search !== undefined) model.session.detail.search = undefined;
  else if (model.focus === 'detail') model.focusOn('list');
  else clearFilter(model);
}

function jump(model: ScreenModel): void {
  const { session, selected } = model;
  if (session === undefined || selected === undefined) return;
  const partner = selected.kind === 'entry' ? session.log.partnerOf(selected.entry) : undefined;
  if (partner === undefined) model.say('This message has no request or response to go to.', 'dim');
  else if (!session.list.selectEntry(partner))
    model.say('Its pair is hidden by the filter. Press Esc to clear the filter.', 'waiting');
}

const MAX_COPIED = 1 << 20;

function copy(model: ScreenModel): void {
  const text = selectedText(model);
  if (text === undefined) return;
  if (text.length > MAX_COPIED) {
    model.say('Too long to copy. Press e to open it in your editor.', 'waiting');
    return;
  }
  model.deps.copy(text);
  model.say(`Copied ${text.length} characters`);
}

function move(model: ScreenModel, { name }: KeyPress): void {
  const { focus, session, pageRows } = model;
  const step = stepOf(name, pageRows);
  if (focus === 'sessions') {
    model.chosen = Math.max(0, Math.min(model.running.length - 1, model.chosen + (step ?? 0)));
    return;
  }
  if (session === undefined) return;
  if (focus === 'detail') session.detail.press(name, pageRows);
  else if (step !== undefined) session.list.moveBy(step);
  else if (name === 'g' || name === 'home') session.list.moveTo(0);
  else if (name === 'G' || name === 'end') session.list.follow();
}
