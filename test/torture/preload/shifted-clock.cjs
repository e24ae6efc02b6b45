// Loaded into mcpreel: the time of day is off by as many milliseconds as the file MCPREEL_CLOCK_FILE says, also when it
// changes. What never goes back (performance.now, timers) stays as it is, as when somebody sets a real clock.
const { readFileSync } = require('node:fs');

const path = process.env.MCPREEL_CLOCK_FILE;
const RealDate = Date;
const realNow = Date.now.bind(Date);
let shiftMs = 0;
let readAt = Number.NEGATIVE_INFINITY;

function now() {
  if (performance.now() - readAt > 1) {
    shiftMs = Number(readFileSync(path, 'utf8')) || 0;
    readAt = performance.now();
  }
  return realNow() + shiftMs;
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }

  static now() {
    return now();
  }
};
