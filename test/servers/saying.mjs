// Prints the bytes in its argument, and exits with a status or by a signal.
import { once } from 'node:events';

const { out, err, exit = 0, kill } = JSON.parse(process.argv[2]);
for (const [stream, text] of [
  [process.stdout, out],
  [process.stderr, err],
]) {
  if (!stream.write(Buffer.from(text, 'base64'))) await once(stream, 'drain');
}
process.exitCode = exit;
if (kill) process.kill(process.pid, kill);
