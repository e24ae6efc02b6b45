// Reads nothing until a SIGHUP tells it to. At the end of its input it says how many bytes came and their SHA-256, and
// goes on until it is told to stop.
import { createHash } from 'node:crypto';

const hash = createHash('sha256');
let bytes = 0;

process.on('SIGTERM', () => process.exit(0));
process.on('SIGHUP', () => void swallow());
// A timer keeps it there; its input does not while nobody reads it.
setInterval(() => {}, 1 << 30);
process.stdout.write('ready\n');

async function swallow() {
  for await (const chunk of process.stdin) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  process.stdout.write(`${JSON.stringify({ bytes, sha256: hash.digest('hex') })}\n`);
}
