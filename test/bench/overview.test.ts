import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { overview, placeTables } from '../../bench/overview.mjs';

const environment = { node: 'v20.19.0', platform: 'linux x64', cores: 2 };

function runWith(...rows: Parameters<typeof overview>[0]['benchmarks'][number]['rows']) {
  const benchmark = { benchmark: 'stdio', about: '9 rounds', environment, limited: 'mcpreel', peers: ['one', 'two'] };
  return overview({ date: '2026-05-12', benchmarks: [{ ...benchmark, rows }] });
}

describe('the overview of a benchmark run', () => {
  it('names the best other tool: the lowest figure under an upper limit, else the highest', () => {
    const figures = { mcpreel: 1, one: 3, two: 2 };
    const { tables } = runWith(
      { title: 'time', figures, atMost: 1.2, met: true },
      { title: 'speed', figures, atLeast: 0.8, met: true },
    );
    expect(tables.bench).toMatch(/\| time +\| 1\.00 +\| 2\.00 two +\| at most 1\.2 +\| met +\|/);
    expect(tables.bench).toMatch(/\| speed +\| 1\.00 +\| 3\.00 one +\| at least 0\.8 +\| met +\|/);
  });

  it('lists only the limits that were missed', () => {
    const { tables, missed } = runWith(
      { title: 'time', figures: { mcpreel: 1.31 }, atMost: 1.2, met: false },
      { title: 'memory', figures: { mcpreel: 90 } },
    );
    expect(missed).toEqual(['stdio: time: 1.31, at most 1.2']);
    expect(tables.bench).toContain('**missed**');
    expect(tables.bench).toContain('Measured on 2026-05-12 with Node 20.19.0, linux x64, 2 cores. stdio: 9 rounds.');
  });

  it('replaces the table between its markers repeatedly, and refuses a page without them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcpreel-overview-'));
    try {
      const path = join(folder, 'page.md');
      writeFileSync(path, 'before\n\n<!-- bench -->\nold\n<!-- /bench -->\n\nafter\n');
      placeTables(path, { bench: 'first' });
      placeTables(path, { bench: 'second' });
      const page = 'before\n\n<!-- bench -->\n\nsecond\n\n<!-- /bench -->\n\nafter\n';
      expect(readFileSync(path, 'utf8')).toBe(page);
      expect(() => placeTables(path, { growth: 'a table' })).toThrow('no place for the table growth');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
