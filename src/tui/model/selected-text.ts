import { exactText } from '../../model/entry.ts';
import type { ScreenModel } from './screen-model.ts';

/** What of a message is copied and opened elsewhere: its exact text. */
export function selectedText(model: ScreenModel): string | undefined {
  const { selected } = model;
  if (selected === undefined) return undefined;
  return selected.kind === 'held' ? selected.held.message.text : exactText(selected.entry);
}
