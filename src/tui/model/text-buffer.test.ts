import { describe, expect, it } from 'vitest';
import { TextBuffer } from './text-buffer.ts';

describe('TextBuffer', () => {
  it('inserts typed and pasted text at the cursor', () => {
    const buffer = new TextBuffer('one\ntwo');
    buffer.moveRows(1);
    buffer.moveToEdge('end');
    buffer.insert('!');
    buffer.moveRows(-1);
    buffer.insert('a\r\nb');
    expect(buffer.text).toBe('onea\nb\ntwo!');
    expect([buffer.row, buffer.column]).toEqual([1, 1]);
  });

  it('deletes characters and line breaks before and after the cursor', () => {
    const buffer = new TextBuffer('ab\ncd');
    buffer.deleteBefore();
    expect(buffer.text).toBe('ab\ncd');
    buffer.moveToEdge('end');
    buffer.deleteAt();
    expect(buffer.text).toBe('abcd');
    buffer.deleteBefore();
    expect(buffer.text).toBe('acd');
  });

  it('never cuts a character in half', () => {
    const buffer = new TextBuffer('a👩b');
    buffer.moveSideways(1);
    buffer.moveSideways(1);
    expect(buffer.column).toBe(3);
    buffer.moveSideways(-1);
    expect(buffer.column).toBe(1);
    buffer.deleteAt();
    expect(buffer.text).toBe('ab');
  });

  it('moves the cursor across line ends and keeps it within the text', () => {
    const buffer = new TextBuffer('a\nb');
    buffer.moveSideways(-1);
    expect([buffer.row, buffer.column]).toEqual([0, 0]);
    buffer.moveSideways(1);
    buffer.moveSideways(1);
    expect([buffer.row, buffer.column]).toEqual([1, 0]);
    buffer.moveRows(10);
    expect(buffer.row).toBe(1);
    buffer.moveSideways(-1);
    expect([buffer.row, buffer.column]).toEqual([0, 1]);
  });

  it('indents a new line like the previous one', () => {
    const buffer = new TextBuffer('  "a": 1,');
    buffer.moveToEdge('end');
    buffer.breakLine();
    buffer.insert('"b": 2');
    expect(buffer.text).toBe('  "a": 1,\n  "b": 2');
  });
});
