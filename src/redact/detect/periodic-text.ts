/** The text that is compared to find a period, and the longest period that is found. */
const SAMPLE = 32;
const MAX_PERIOD = 1024;
/** At least so much is compared at once. */
const MIN_STEP = 4096;

/**
 * Returns the offset up to which a text repeats a part of itself again and again, given a part of the text that may be
 * the beginning of that. Returns `undefined` if the part does not repeat itself.
 */
export function endOfRepetition(text: string, start: number, end: number): number | undefined {
  const window = text.slice(Math.max(start, end - SAMPLE - MAX_PERIOD), end);
  const sampleAt = window.length - SAMPLE;
  const before = sampleAt <= 0 ? -1 : window.lastIndexOf(window.slice(sampleAt), sampleAt - 1);
  if (before < 0) return undefined;
  const period = sampleAt - before;
  let i = start + period;
  while (i < end && text.charCodeAt(i) === text.charCodeAt(i - period)) i++;
  if (i < end) return undefined;
  // Parts of a text are compared as fast as memory is read.
  const step = period * Math.ceil(MIN_STEP / period);
  while (i + step <= text.length && text.slice(i, i + step) === text.slice(i - step, i)) i += step;
  while (i < text.length && text.charCodeAt(i) === text.charCodeAt(i - period)) i++;
  return i;
}
