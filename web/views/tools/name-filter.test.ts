import { describe, expect, it } from 'vitest';
import { loadFilter } from '../../../src/analysis/filter/filter.ts';
import { request } from '../../../test/support/sample-entries.ts';
import { nameFilter } from './name-filter.ts';

describe('nameFilter', () => {
  it.each(['read_file', 'a b', 'star*', 'quote"s', 'back\\slash', 'or', 'Grüße', '-x', '(', 'a:b'])(
    'matches %s and nothing else',
    async (name) => {
      const filter = await loadFilter(nameFilter('tool', name));
      const fits = (tool: string): boolean => {
        const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool } });
        return filter.matches({ entry: { ...request(1, 'x'), text }, server: 's' });
      };
      expect(fits(name)).toBe(true);
      expect(fits(`${name}x`)).toBe(false);
    },
  );
});
