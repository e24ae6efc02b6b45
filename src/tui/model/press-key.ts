import { inOneLine } from '../../model/errors.ts';
import { browse } from './browse.ts';
import { clearFilter } from './clear-filter.ts';
import { type KeyPress, stepOf, typedInto } from './key.ts';
import { replayKey } from './replay-message.ts';
import type { ScreenModel } from './screen-model.ts';
import { write } from './write-message.ts';

/** Dispatches a key press according to what the user is doing. */
export function pressKey(model: ScreenModel, key: KeyPress): void {
  if (key.name === 'ctrl+c') {
    model.leave();
    return;
  }
  model.remark = undefined;
  const { doing } = model;
  switch (doing.kind) {
    case 'browsing':
      browse(model, key);
      return;
    case 'filtering':
      filter(model, doing.text, key);
      return;
    case 'searching':
      search(model, doing.text, key);
      return;
    case 'writing':
      write(model, doing, key);
      return;
    case 'replaying':
      replayKey(model, doing.replay, key);
      return;
    case 'helping':
      help(model, doing.top, key);
      return;
  }
}

/** Up and down scroll the help; any other key closes it. */
function help(model: ScreenModel, top: number, { name }: KeyPress): void {
  const step = stepOf(name, model.pageRows);
  model.doing = step === undefined ? { kind: 'browsing' } : { kind: 'helping', top: Math.max(0, top + step) };
}

/** Inserts pasted text where text can be typed. It is never run as commands. */
export function paste(model: ScreenModel, text: string): void {
  const { doing } = model;
  if (doing.kind === 'writing') doing.buffer.insert(text);
  else if (doing.kind === 'replaying') pressKey(model, { name: 'pasted', text });
  else pressKey(model, { name: 'pasted', text: text.replaceAll(/\s+/g, ' ') });
}

function filter(model: ScreenModel, text: string, key: KeyPress): void {
  if (key.name === 'escape') {
    model.doing = { kind: 'browsing' };
    clearFilter(model);
  } else if (key.name === 'return') {
    if (model.doing.kind === 'filtering' && model.doing.fault === undefined) model.doing = { kind: 'browsing' };
  } else {
    const changed = typedInto(text, key);
    if (changed !== undefined) tryFilter(model, changed);
  }
}

function tryFilter(model: ScreenModel, text: string): void {
  model.doing = { kind: 'filtering', text, fault: undefined };
  model.session?.setFilter(text).then(
    () => {
      model.filterText = text.trim();
      model.deps.onChange();
    },
    (error: unknown) => {
      if (model.doing.kind !== 'filtering' || model.doing.text !== text) return;
      model.doing = { kind: 'filtering', text, fault: inOneLine(error) };
      model.deps.onChange();
    },
  );
}

function search(model: ScreenModel, text: string, key: KeyPress): void {
  const detail = model.session?.detail;
  if (detail === undefined) return;
  if (key.name === 'escape') {
    detail.search = undefined;
    model.doing = { kind: 'browsing' };
    return;
  }
  const step = key.name === 'up' ? -1 : 1;
  const isNext = key.name === 'return' || key.name === 'down' || key.name === 'up';
  const changed = isNext ? text : typedInto(text, key);
  if (changed === undefined) return;
  model.doing = { kind: 'searching', text: changed };
  detail.search = changed;
  const isThere = isNext ? detail.find(step) : detail.find(1, detail.row);
  if (!isThere) model.say(`Not found: ${changed}`, 'waiting');
}
