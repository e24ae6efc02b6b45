// Sends back every byte that it gets, on stdout and on stderr, in writes of at most so many bytes as its argument says.
// When its input has ended it adds the SHA-256 of all that it got, on stderr.
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

// Not by process.stdout, which may put small writes together.
function say(fd, bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSome(fd, bytes.subarray(at, at + most));
}

// Whoever started this may have made its outputs such that a write does not wait for a reader.
function writeSome(fd, bytes) {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
