import { join } from 'node:path';
import { median } from './measure.mjs';
import { writeTrace } from './sample-files.mjs';
import { ScreenTerminal } from './stdio-terminal.mjs';

const MESSAGES = 100_000;
const PRESSES = 200;
const PAGE = 33;
/** What a key may take at 120×40, in the middle. */
const MOST_MS = 30;

/** Presses keys on a screen with a long session and prints how long each takes. Returns whether the limit is met. */
export async function measureKeys(folder) {
  const trace = join(folder, 'trace.jsonl');
  writeTrace(trace, MESSAGES);
  const screen = new ScreenTerminal(join(folder, 'home'), trace);
  try {
    await screen.shows(`${MESSAGES} messages`);
    const figures = {
      'one up': await press(screen, '\u001b[A', -1, MESSAGES - 1),
      'a page up': await press(screen, '\u001b[5~', -PAGE, MESSAGES - 1 - PRESSES),
      'one down': await press(screen, 'j', 1, MESSAGES - 1 - PRESSES * (1 + PAGE)),
    };
    const met = Object.values(figures).map((times) => median(times) <= MOST_MS);
    for (const [name, times] of Object.entries(figures)) {
      const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)];
      console.log(
        `${name.padEnd(10)} p50 ${median(times).toFixed(1)} ms (at most ${MOST_MS}), p95 ${p95.toFixed(1)} ms`,
      );
    }
    return met.every(Boolean);
  } finally {
    await screen.close();
  }
}

/** How long each press takes until the message that it leads to is on the terminal. */
async function press(screen, key, step, from) {
  const times = [];
  for (let i = 1; i <= PRESSES; i++) {
    const number = from + i * step;
    const wanted = `#${String(number).padStart(4, '0')} ${number % 2 === 0 ? '▶' : '◀'}`;
    const before = performance.now();
    screen.press(key);
    await screen.shows(wanted);
    times.push(performance.now() - before);
  }
  return times;
}
