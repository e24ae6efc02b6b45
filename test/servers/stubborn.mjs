// Ignores signals and reports them; answers each line with its number until its stdin ends.
import { createInterface } from 'node:readline';

const say = (method, params) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => say('notifications/signal', { signal }));

let lines = 0;
createInterface({ input: process.stdin }).on('line', () => say('notifications/line', { number: ++lines }));
say('notifications/ready');
