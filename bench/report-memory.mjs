// Loaded into every measured Node process: leaves the most memory that it held, in kilobytes.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  if (process.env.BENCH_MEMORY_FILE)
    writeFileSync(process.env.BENCH_MEMORY_FILE, String(process.resourceUsage().maxRSS));
});
