// Reads nothing until it receives SIGHUP. When its stdin ends it prints the byte count and SHA-256 of its input, and
// runs until it is stopped.
import { createHash } from 'node:crypto';

const hash = createHash('sha256');
let bytes = 0;

process.on('SIGTERM', () => process.exit(0));
process.on('SIGHUP', () => void swallow());
// The timer keeps the process alive; an unread stdin does not.
setInterval(() => {}, 1 << 30);
process.stdout.write('ready\n');

async function swallow() {
  for await (const chunk of process.stdin) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  process.stdout.write(`${JSON.stringify({ bytes, sha256: hash.digest('hex') })}\n`);
}
