import { appendFileSync, truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines } from '../support/recordings.ts';
import { traceText } from '../support/trace-texts.ts';

const SESSIONS = 1000;
const HOLE_BYTES = 20_000_000;

/** A state folder with a thousand sessions, each with so many bytes of nothing in its middle. */
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

/** How long a listing takes at its best. */
async function listingMs(place: CommandPlace): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const startMs = performance.now();
    const { code, stdout } = await place.run(['sessions', '--json']);
    times.push(performance.now() - startMs);
    const listed = jsonLines(stdout);
    expect([code, listed.length]).toEqual([0, SESSIONS + 1]);
    expect(listed[0]).toMatchObject({ entries: 2, state: 'ended' });
  }
  return Math.min(...times);
}

it('A thousand large sessions are listed as fast as a thousand small ones', async () => {
  const smallMs = await listingMs(filled(0));
  const largeMs = await listingMs(filled(HOLE_BYTES));
  expect(largeMs).toBeLessThan(2 * smallMs);
});
