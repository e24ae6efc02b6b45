import { pretty } from '../../json/layout.ts';
import { ObjectView } from '../../json/object-view.ts';
import { draftAnswer, readAnswer, sentText } from '../../protocol/written-message.ts';
import type { RequestedSteering } from '../feed/session-feed.ts';
import { heldSelection, settle } from './decide.ts';
import type { KeyPress } from './key.ts';
import type { ScreenActivity, ScreenModel } from './screen-model.ts';
import { selectedText } from './selected-text.ts';
import { TextBuffer } from './text-buffer.ts';

type MessageWriting = Extract<ScreenActivity, { kind: 'writing' }>;

/** Starts to edit the selected held message. */
export function beginEdit(model: ScreenModel): void {
  const held = heldSelection(model);
  if (held !== undefined) begin(model, 'edit', held.id, pretty(held.message.text));
}

/** Starts to answer the selected held message in place of its receiver. */
export function beginAnswer(model: ScreenModel): void {
  const held = heldSelection(model);
  if (held === undefined) return;
  const draft = draftAnswer(held.message.text);
  if (draft === undefined) model.say('Only requests can be answered.', 'waiting');
  else begin(model, 'answer', held.id, draft);
}

function begin(model: ScreenModel, what: MessageWriting['what'], heldId: string, text: string): void {
  model.doing = { kind: 'writing', what, heldId, buffer: new TextBuffer(text) };
  model.focusOn('detail');
}

/** Opens a message in the user's editor: a held one to edit it, any other to read it. */
export function editOutside(model: ScreenModel): void {
  const { selected } = model;
  const text = selectedText(model);
  if (text === undefined) return;
  const readable = pretty(text);
  model.deps.edit(readable).then(
    (changed) => {
      if (selected?.kind !== 'held') return;
      const trimmed = changed.replace(/\n$/, '');
      if (trimmed === readable) model.say('Not changed. The message is still held.', 'dim');
      else begin(model, 'edit', selected.held.id, trimmed);
      model.deps.onChange();
    },
    (error) => model.complain(error),
  );
}

/** Handles a key press while the user is writing a message. */
export function write(model: ScreenModel, writing: MessageWriting, key: KeyPress): void {
  const { buffer } = writing;
  const page = model.pageRows;
  switch (key.name) {
    case 'escape':
      model.doing = { kind: 'browsing' };
      model.focusOn('list');
      return;
    case 'ctrl+s':
      void send(model, writing);
      return;
    case 'return':
      buffer.breakLine();
      return;
    case 'backspace':
      buffer.deleteBefore();
      return;
    case 'delete':
      buffer.deleteAt();
      return;
    case 'left':
    case 'right':
      buffer.moveSideways(key.name === 'left' ? -1 : 1);
      return;
    case 'up':
    case 'down':
      buffer.moveRows(key.name === 'up' ? -1 : 1);
      return;
    case 'pageup':
    case 'pagedown':
      buffer.moveRows(key.name === 'pageup' ? -page : page);
      return;
    case 'home':
    case 'end':
      buffer.moveToEdge(key.name === 'home' ? 'start' : 'end');
      return;
    case 'tab':
      buffer.insert('  ');
      return;
    default:
      if (key.text !== '') buffer.insert(key.text);
  }
}

/** The last rejected text. Sending the same text again confirms it. */
const refused = new WeakMap<TextBuffer, string>();

async function send(model: ScreenModel, writing: MessageWriting): Promise<void> {
  const { what, heldId, buffer } = writing;
  const { text } = buffer;
  const requested = what === 'edit' ? editOf(text, refused.get(buffer) === text) : answerOf(text);
  if (requested === undefined) {
    model.say('Write {"result":…} or {"error":{"code":…,"message":…}}.', 'error');
    return;
  }
  if (requested.action === 'edit' && !requested.confirmed && ObjectView.of(requested.text) === undefined) {
    refused.set(buffer, text);
    model.say('Not a JSON object. Press Ctrl+S again to send it anyway.', 'error');
    return;
  }
  const isDone = await settle(model, heldId, requested, what === 'edit' ? 'Sent' : 'Answered');
  // The user may be writing another message by now.
  if (!isDone || model.doing !== writing) return;
  model.doing = { kind: 'browsing' };
  model.focusOn('list');
}

function editOf(text: string, confirmed: boolean): Extract<RequestedSteering, { action: 'edit' }> {
  return { action: 'edit', text: sentText(text), confirmed };
}

function answerOf(text: string): RequestedSteering | undefined {
  const answer = readAnswer(text);
  return answer && { action: 'answer', ...answer };
}
