import { expect, it } from 'vitest';
import { keyFrom } from './key.ts';

it('names keys by what they write, or by what they are called', () => {
  expect(keyFrom('a', { sequence: 'a', name: 'a' })).toEqual({ name: 'a', text: 'a' });
  expect(keyFrom('F', { sequence: 'F', name: 'f', shift: true })).toEqual({ name: 'F', text: 'F' });
  expect(keyFrom('日', { sequence: '日' })).toEqual({ name: '日', text: '日' });
  expect(keyFrom('\r', { sequence: '\r', name: 'return' })).toEqual({ name: 'return', text: '' });
  expect(keyFrom('\n', { sequence: '\n', name: 'enter' })).toEqual({ name: 'return', text: '' });
  expect(keyFrom('\u0013', { sequence: '\u0013', name: 's', ctrl: true })).toEqual({ name: 'ctrl+s', text: '' });
  expect(keyFrom(undefined, { sequence: '\u001b', name: 'escape', meta: true })).toEqual({ name: 'escape', text: '' });
  expect(keyFrom(undefined, { sequence: '\u001b[15~', name: 'f5' })).toEqual({ name: 'f5', text: '' });
  expect(keyFrom('x', { sequence: '\u001bx', name: 'x', meta: true })).toEqual({ name: 'alt+x', text: '' });
});
