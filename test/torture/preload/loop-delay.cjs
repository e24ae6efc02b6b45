// Loaded into a process: writes to the file MCPREEL_DELAY_FILE, once a second, how late its event loop was: the 99th
// percentile of that second, in milliseconds.
const { openSync, writeSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const RESOLUTION_MS = 10;
const path = process.env.MCPREEL_DELAY_FILE;
delete process.env.MCPREEL_DELAY_FILE;

if (path !== undefined) {
  // Opened once, so that the number of open files stays what it is.
  const file = openSync(path, 'a', 0o600);
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  setInterval(() => {
    writeSync(file, `${Math.max(0, delays.percentile(99) / 1e6 - RESOLUTION_MS).toFixed(2)}\n`);
    delays.reset();
  }, 1000).unref();
}
