import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { skipOnWindows } from '../support/unless.ts';

it(
  'a trace that rotates overwrites nothing in a folder that was put in place of its own',
  skipOnWindows('Windows has no symlinks for everybody'),
  async () => {
    const place = new Place();
    mkdirSync(place.path('own'));
    mkdirSync(place.path('victim'));
    for (let part = 2; part < 30; part++) place.write(`victim/t.part-${part}.jsonl`, 'precious');
    const running = place.start(['--trace-file', 'own/t.jsonl', '--max-bytes', '2k', '--', ...echoServer]);
    const say = async (n: number): Promise<void> => {
      running.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: n, method: 'ping', params: { text: 'x'.repeat(500) } })}\n`,
      );
      await running.sent(`"id":${n},`);
    };
    await say(1);
    renameSync(place.path('own'), place.path('moved'));
    symlinkSync('victim', place.path('own'));
    for (let n = 2; n < 20; n++) await say(n);
    running.end();
    expect((await running.ended).code).toBe(0);
    for (let part = 2; part < 30; part++) expect(place.read(`victim/t.part-${part}.jsonl`)).toBe('precious');
    // New parts have new names, and are for their owner alone.
    for (const name of readdirSync(place.path('victim'))) {
      if (place.read(`victim/${name}`) !== 'precious') expect(place.mode(`victim/${name}`)).toBe(0o600);
    }
  },
);
