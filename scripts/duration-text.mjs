/** Formats a duration for people: `4.2 s`, `3 min 5 s`. */
export function durationText(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
