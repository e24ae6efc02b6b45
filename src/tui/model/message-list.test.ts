import { beforeEach, describe, expect, it } from 'vitest';
import { beginSession, calls } from '../../../test/support/sample-entries.ts';
import { SessionLog } from '../../present/session-log/session-log.ts';
import { ShownEntries } from '../../present/session-log/shown-entries.ts';
import { HeldMessages } from '../session/held-messages.ts';
import { MessageList } from './message-list.ts';

describe('the message list', () => {
  const log = { value: new SessionLog() };
  let shown: ShownEntries;
  let held: HeldMessages;
  let list: MessageList;
  beforeEach(() => {
    beginSession();
    log.value = new SessionLog();
    shown = new ShownEntries(log.value);
    held = new HeldMessages();
    list = new MessageList(log.value, shown, held);
    grow(10);
  });

  const grow = (count: number): void => {
    log.value.add(calls(count));
    shown.work(() => true);
  };
  const hold = (id: string): void => {
    held.add({ id, direction: 'client_to_server', text: '{}', atMs: 0, untilMs: 30_000, conversation: 0 });
  };

  it('follows new messages until the selection moves, and again after a jump to the end', () => {
    expect(list.selectedRow).toBe(19);
    grow(5);
    expect(list.selectedRow).toBe(29);
    list.moveBy(-1);
    grow(5);
    expect(list.selectedRow).toBe(28);
    list.follow();
    expect(list.selectedRow).toBe(39);
  });

  it('keeps the selected row in the window', () => {
    expect(list.topFor(5)).toBe(15);
    list.moveTo(3);
    expect(list.topFor(5)).toBe(3);
    list.moveBy(4);
    expect(list.topFor(5)).toBe(3);
    list.moveBy(1);
    expect(list.topFor(5)).toBe(4);
    list.moveBy(-100);
    expect(list.selectedRow).toBe(0);
    list.moveBy(100);
    expect(list.selectedRow).toBe(19);
  });

  it('lists held messages last and selects the one held longest first', () => {
    hold('first');
    hold('second');
    expect(list.length).toBe(22);
    expect(list.selected).toMatchObject({ kind: 'held', held: { id: 'first' }, sequence: 20 });
    expect(list.selectNextHeld()).toBe(true);
    expect(list.selected).toMatchObject({ held: { id: 'second' } });
    expect(list.selectNextHeld()).toBe(true);
    expect(list.selected).toMatchObject({ held: { id: 'first' } });
  });

  it('keeps a held message selected after it was sent', () => {
    hold('m20');
    list.selectNextHeld();
    held.remove('m20');
    grow(1);
    expect(list.selected).toMatchObject({ kind: 'entry', index: 20 });
    expect(list.selectNextHeld()).toBe(false);
  });
});
