import { join } from 'node:path';
import { median } from './measure.mjs';
import { writeTrace } from './sample-files.mjs';
import { ScreenTerminal } from './stdio-terminal.mjs';

const MESSAGES = 100_000;
const PRESSES = 200;
const PAGE = 33;
/** The maximum median time of a key press at 120×40. */
const MAX_MS = 30;

const SCREEN = 'a screen';

/** Presses keys in the terminal UI with a long session, and returns rows with the time of each key. */
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
    return {
      about: `${PRESSES} presses of each key on a session of ${MESSAGES} messages`,
      names: [SCREEN],
      limited: SCREEN,
      rows: Object.entries(figures).flatMap(([name, times]) => [
        { title: `${name}: p50, ms`, figures: { [SCREEN]: median(times) }, atMost: MAX_MS, digits: 1 },
        { title: `${name}: p95, ms`, figures: { [SCREEN]: p95(times) }, less: true, digits: 1 },
      ]),
    };
  } finally {
    await screen.close();
  }
}

function p95(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)];
}

/** The time of each key press until the terminal shows the message that it selects. */
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
