// Loaded into every measured Node process: writes its peak memory, in kilobytes, to a file.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  if (process.env.BENCH_MEMORY_FILE)
    writeFileSync(process.env.BENCH_MEMORY_FILE, String(process.resourceUsage().maxRSS));
});
