import { expect, it } from 'vitest';
import { keysFrom } from './key.ts';

it('names a key by the text it types, or else by its name', () => {
  expect(keysFrom('a', { sequence: 'a', name: 'a' })).toEqual([{ name: 'a', text: 'a' }]);
  expect(keysFrom('F', { sequence: 'F', name: 'f', shift: true })).toEqual([{ name: 'F', text: 'F' }]);
  expect(keysFrom('日', { sequence: '日' })).toEqual([{ name: '日', text: '日' }]);
  expect(keysFrom('\r', { sequence: '\r', name: 'return' })).toEqual([{ name: 'return', text: '' }]);
  expect(keysFrom('\n', { sequence: '\n', name: 'enter' })).toEqual([{ name: 'return', text: '' }]);
  expect(keysFrom('\u0013', { sequence: '\u0013', name: 's', ctrl: true })).toEqual([{ name: 'ctrl+s', text: '' }]);
  expect(keysFrom(undefined, { sequence: '\u001b', name: 'escape', meta: true })).toEqual([
    { name: 'escape', text: '' },
  ]);
  expect(keysFrom(undefined, { sequence: '\u001b[15~', name: 'f5' })).toEqual([{ name: 'f5', text: '' }]);
});

it('treats Alt plus a key as Esc and the key, since terminals cannot distinguish them', () => {
  const esc = { name: 'escape', text: '' };
  expect(keysFrom(undefined, { sequence: '\u001bx', name: 'x', meta: true })).toEqual([esc, { name: 'x', text: 'x' }]);
  expect(keysFrom(undefined, { sequence: '\u001b/', meta: true })).toEqual([esc, { name: '/', text: '/' }]);
  expect(keysFrom(undefined, { sequence: '\u001b\u0003', meta: true })).toEqual([esc, { name: 'ctrl+c', text: '' }]);
  expect(keysFrom(undefined, { sequence: '\u001b\r', name: 'return', meta: true })).toEqual([
    esc,
    { name: 'return', text: '' },
  ]);
});
