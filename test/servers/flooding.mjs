// Writes this many bytes to stderr in numbered lines, as fast as they are read, and echoes its stdin meanwhile. It
// exits when its stdin has ended and everything is written.
import { once } from 'node:events';

const bytes = Number(process.argv[2]);
const filling = 'flooding '.repeat(10);

process.stdin.pipe(process.stdout);
const ended = once(process.stdin, 'end');
let said = 0;
for (let number = 0; said < bytes; number++) {
  const line = `${number} ${filling}\n`;
  said += line.length;
  if (!process.stderr.write(line)) await once(process.stderr, 'drain');
}
await ended;
