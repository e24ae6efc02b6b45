// Ignores what its argument lists: the end of its stdin ("EOF") or signals. It keeps a connection to the given socket
// open, so that tests notice its end. With `child` it starts a second process like itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

const { lifeline, ignores, child, name = 'server' } = JSON.parse(process.argv[2]);

// The reader may be gone.
process.stdout.on('error', () => {});
for (const signal of ignores.filter((what) => what !== 'EOF')) {
  process.on(signal, () => process.stdout.write(`${signal}\n`));
}
if (child) {
  const options = JSON.stringify({ lifeline, ignores, name: 'child' });
  spawn(process.execPath, [process.argv[1], options], { stdio: 'inherit' });
}
const connection = connect(lifeline);
await once(connection, 'connect');
connection.write(`${name} ${process.pid}\n`);
process.stdin.on('end', () => {
  if (!ignores.includes('EOF')) process.exit(0);
  process.stdout.write('EOF\n');
});
process.stdin.resume();
