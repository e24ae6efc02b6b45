/** Loaded before a program: notes what it took when it is over. Waiting for its turn on a busy machine does not count. */
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const noted = { megabytes: maxRSS / 1024, seconds: (userCPUTime + systemCPUTime) / 1e6 };
  require('node:fs').writeFileSync(process.env.PEAK_FILE, JSON.stringify(noted));
});
