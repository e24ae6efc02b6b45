// Shows the progress of a long step on stderr: an updated line on a terminal, otherwise a line now and then.
import { durationText } from './duration-text.mjs';

const UPDATE_MS = 500;
const LINE_MS = 10_000;
const ERASE_LINE = '\r\u001b[2K';

/**
 * Calls `describe` for a text such as "installing packages: 120 of 480" until `close()`, and shows it with the elapsed
 * time.
 */
export function showProgress(describe, stream = process.stderr) {
  const started = performance.now();
  const { isTTY = false } = stream;
  const timer = setInterval(
    () => {
      const line = `ready: ${describe()}, ${durationText(performance.now() - started)}`;
      // A line that wraps could not be erased.
      stream.write(isTTY ? ERASE_LINE + line.slice(0, (stream.columns || 80) - 1) : `${line}\n`);
    },
    isTTY ? UPDATE_MS : LINE_MS,
  );
  return {
    close() {
      clearInterval(timer);
      if (isTTY) stream.write(ERASE_LINE);
    },
  };
}
