import { exactText } from '../../model/entry.ts';
import type { ScreenModel } from './screen-model.ts';

/** The exact text of the selected message, for copying or opening in an editor. */
export function selectedText(model: ScreenModel): string | undefined {
  const { selected } = model;
  if (selected === undefined) return undefined;
  return selected.kind === 'held' ? selected.held.message.text : exactText(selected.entry);
}
