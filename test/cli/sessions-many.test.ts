import { appendFileSync, truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines } from '../support/recordings.ts';
import { traceText } from '../support/trace-texts.ts';

const SESSIONS = 1000;
const HOLE_BYTES = 20_000_000;

/** A state folder with 1,000 sessions, each with a sparse hole of this many bytes. */
function filled(holeBytes: number): CommandPlace {
  const place = new CommandPlace();
  for (let n = 0; n < SESSIONS; n++) {
    const digits = n.toString(16).padStart(8, '0');
    const [meta = '', ...rest] = traceText({ id: `${digits}-0000-4000-8000-000000000000`, end: {} }).split('\n');
    const path = place.path(place.write(`home/sessions/2026-03-04T10-00-00-000Z-fs-${digits}.jsonl`, `${meta}\n`));
    truncateSync(path, meta.length + 1 + holeBytes);
    appendFileSync(path, `\n${rest.join('\n')}`);
  }
  return place;
}

/** A busy machine spoils some measurements, never all of them. */
const ATTEMPTS = 12;

async function listingMs(place: CommandPlace): Promise<number> {
  const startMs = performance.now();
  const { code, stdout } = await place.run(['sessions', '--json']);
  const tookMs = performance.now() - startMs;
  const listed = jsonLines(stdout);
  expect([code, listed.length]).toEqual([0, SESSIONS + 1]);
  expect(listed[0]).toMatchObject({ entries: 2, state: 'ended' });
  return tookMs;
}

it('lists a thousand large sessions as fast as a thousand small ones', async () => {
  const [small, large] = [filled(0), filled(HOLE_BYTES)];
  let smallMs = Number.POSITIVE_INFINITY;
  let largeMs = Number.POSITIVE_INFINITY;
  // Reading the middle of the large ones would take a hundred times as long.
  for (let attempt = 0; attempt < ATTEMPTS && !(largeMs < 2 * smallMs); attempt++) {
    smallMs = Math.min(smallMs, await listingMs(small));
    largeMs = Math.min(largeMs, await listingMs(large));
  }
  expect(largeMs).toBeLessThan(2 * smallMs);
});
