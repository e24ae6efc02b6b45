import { describe, expect, it } from 'vitest';
import { clients } from './clients.ts';
import { readConfig } from './config-syntax.ts';
import { checkEdit } from './edit-check.ts';

const before = '{"theme":"dark","mcpServers":{"x":{"command":"a","args":["b"],"env":{"K":"v"}},"y":{"command":"y"}}}';
const requested = ['r', '--', 'a', 'b'];

/** Checks an edit that should set the command line of `x`. */
function check(after: string): void {
  const client = clients.find(({ id }) => id === 'cursor');
  const entry = client && readConfig(client, before).entries[0];
  if (client === undefined || entry?.kind !== 'stdio') throw new Error('No entry to edit');
  checkEdit(client, before, after, entry, requested);
}

const edited = before.replace('"a","args":["b"]', '"r","args":["--","a","b"]');

describe('checkEdit', () => {
  it('accepts an edit that changes only the intended command line', () => {
    expect(() => check(edited)).not.toThrow();
  });

  it.each([
    ['says other words', edited.replace('"b"', '"c"')],
    ['changes the environment', edited.replace('"v"', '"w"')],
    ['changes another server', edited.replace('"y"}', '"z"}')],
    ['changes a setting', edited.replace('dark', 'light')],
    ['adds something', edited.replace('"theme"', '"more":1,"theme"')],
    ['loses the entry', before.replace('"x"', '"z"')],
  ])('rejects an edit that %s', (_, after) => {
    expect(() => check(after)).toThrow('the entry "x" cannot be edited safely');
  });

  it('rejects an edit that results in invalid JSON', () => {
    expect(() => check(edited.slice(1))).toThrow('invalid JSON');
  });
});
