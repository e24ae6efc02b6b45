// Says so many bytes in lines of such a length, as fast as they are taken. A line of input is answered on stderr with
// the number of bytes that were taken so far. Ends with its input.
import { once } from 'node:events';
import { longLines } from './long-lines.mjs';

const [bytes, lineBytes] = process.argv.slice(2).map(Number);
let taken = 0;

process.stdin.on('data', () => process.stderr.write(`${taken}\n`)).on('end', () => process.exit(0));

for (const piece of longLines(bytes, lineBytes)) {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  taken += piece.length;
}
