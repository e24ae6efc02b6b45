// A server that runs until its stdin ends. At its first message it opens the socket it was given. It sends its client's
// name, or `shared` for clients without a session, and its process id.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [lifeline] = process.argv.slice(2);
let held = false;

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'lasting', version: '1' },
  }),
  pid: () => ({ pid: process.pid }),
  grumble: () => {
    process.stderr.write('grumbling\n');
    process.stdout.write('no message\n');
    return {};
  },
};

for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (!held) {
    held = true;
    const name = method === 'initialize' ? params.clientInfo.name : 'shared';
    const socket = connect(lifeline, () => socket.write(`${name} ${process.pid}`));
    socket.unref();
  }
  if (method === 'exit') process.exit(7);
  const result = answers[method]?.();
  if (result !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
