// Echoes every byte on stdout and stderr, in writes of at most the given size. When its stdin ends it writes the
// SHA-256 of its input to stderr.
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';

const most = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);
const hash = createHash('sha256');

for await (const chunk of process.stdin) {
  hash.update(chunk);
  say(1, chunk);
  say(2, chunk);
}
say(2, hash.digest());

// Not with process.stdout, which may combine small writes.
function say(fd, bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSome(fd, bytes.subarray(at, at + most));
}

// The parent may have made the outputs non-blocking.
function writeSome(fd, bytes) {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
