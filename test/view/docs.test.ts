import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { seedExample } from '../support/session-texts.ts';
import { ServedView } from './served-view.ts';

const page = readFileSync(new URL('../../docs/view.md', import.meta.url), 'utf8');
const lines = [...page.matchAll(/^mcpreel view ?(.*?)\s*#/gm)].map(([, words = '']) =>
  words.split(' ').filter(Boolean),
);

const TRACE =
  '{"v":1,"type":"meta","startedAt":"2026-01-01T00:00:00.000Z","label":"one","command":["node","s.js"],"id":"59993f63-dfb5-4367-98b2-7ef1e82faafd","transport":"stdio"}\n';

describe('docs/view.md', () => {
  it('contains only command lines that work', async () => {
    expect(lines.length).toBeGreaterThan(4);
    for (const args of lines) {
      const place = new Place();
      for (const name of ['session.json', 'client.json', 'server.jsonl']) place.write(name, seedExample);
      place.write('home/sessions/2026-01-01T00-00-00-000Z-one-59993f63.jsonl', TRACE);
      // The port of the page may be in use.
      const view = await ServedView.start(
        place,
        args.map((word) => (word === '7000' ? '0' : word)),
      );
      const { files, live } = JSON.parse((await view.ask('/api/opened')).text);
      const names = args.filter((word) => /^[\w.]*[a-z.]/.test(word) && !word.startsWith('-'));
      expect([args, live, files.length]).toEqual([
        args,
        args.includes('--live'),
        args.includes('--live') ? 0 : Math.max(1, names.length),
      ]);
    }
  });
});
