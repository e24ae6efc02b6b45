// Says so many bytes on stderr in numbered lines, as fast as they are taken, and says everything back meanwhile. Ends with
// its input, once all is said.
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
