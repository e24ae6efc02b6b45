import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { traceText } from '../support/trace-texts.ts';

const FEW = 1000;
const MANY = 13_000;

/** A busy machine cannot change how much memory is needed, but the time of a collection can. */
const ATTEMPTS = 3;

/** A state folder with this many sessions. Their files are links to one, which is faster to make. */
function filled(sessions: number): Place {
  const place = new Place();
  mkdirSync(place.path('home/sessions'), { recursive: true });
  const first = place.path('first.jsonl');
  writeFileSync(first, traceText({ id: '00000000-0000-4000-8000-000000000000', end: {} }));
  for (let n = 0; n < sessions; n++) {
    const name = `2026-03-04T10-00-00-000Z-filesystem-server-${n.toString(16).padStart(8, '0')}.jsonl`;
    linkSync(first, place.path(`home/sessions/${name}`));
  }
  place.write(
    'peak.cjs',
    "process.on('exit', () => require('fs').writeFileSync('peak', String(process.resourceUsage().maxRSS)))",
  );
  return place;
}

/** The peak memory of listing all sessions, in bytes. */
async function peakBytes(place: Place, args: readonly string[]): Promise<number> {
  const { code } = await place.run(['sessions', ...args], { env: { NODE_OPTIONS: '--require=./peak.cjs' } });
  expect(code).toBe(0);
  return Number(readFileSync(place.path('peak'), 'utf8')) * 1024;
}

it.each([
  ['as a table', []],
  ['as JSON', ['--json']],
])('lists sessions %s in at most 1 kB of memory each', async (_, args) => {
  const [few, many] = [filled(FEW), filled(MANY)];
  let bytesEach = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && bytesEach > 1000; attempt++) {
    bytesEach = Math.min(bytesEach, ((await peakBytes(many, args)) - (await peakBytes(few, args))) / (MANY - FEW));
  }
  expect(bytesEach).toBeLessThanOrEqual(1000);
});
