// Writes this many bytes in lines of this length, as fast as they are read. It answers each input line on stderr with
// the number of bytes read so far. It exits when its stdin ends.
import { once } from 'node:events';
import { longLines } from './long-lines.mjs';

const [bytes, lineBytes] = process.argv.slice(2).map(Number);
let taken = 0;

process.stdin.on('data', () => process.stderr.write(`${taken}\n`)).on('end', () => process.exit(0));

for (const piece of longLines(bytes, lineBytes)) {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  taken += piece.length;
}
