import { describe, expect, it } from 'vitest';
import { TextBuffer } from './text-buffer.ts';

describe('a text that somebody writes in', () => {
  it('takes what is typed and pasted where the cursor is', () => {
    const buffer = new TextBuffer('one\ntwo');
    buffer.moveRows(1);
    buffer.moveToEdge('end');
    buffer.insert('!');
    buffer.moveRows(-1);
    buffer.insert('a\r\nb');
    expect(buffer.text).toBe('onea\nb\ntwo!');
    expect([buffer.row, buffer.column]).toEqual([1, 1]);
  });

  it('takes characters away before and behind the cursor, and line breaks too', () => {
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

  it('goes over the ends of lines, and stays in the text', () => {
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

  it('begins a new line below the one before', () => {
    const buffer = new TextBuffer('  "a": 1,');
    buffer.moveToEdge('end');
    buffer.breakLine();
    buffer.insert('"b": 2');
    expect(buffer.text).toBe('  "a": 1,\n  "b": 2');
  });
});
