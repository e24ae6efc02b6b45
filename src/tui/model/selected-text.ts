import type { ScreenModel } from './screen-model.ts';

/** What of a message is copied and opened elsewhere: its exact text. */
export function selectedText(model: ScreenModel): string | undefined {
  const { selected } = model;
  if (selected === undefined) return undefined;
  if (selected.kind === 'held') return selected.held.message.text;
  const { entry } = selected;
  return entry.kind === 'event' ? entry.raw : (entry.kind === 'message' && entry.sentText) || entry.text;
}
