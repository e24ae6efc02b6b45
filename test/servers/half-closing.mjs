// Ends one of its directions before the other. `input` closes its output first and tells on stderr what it still hears;
// `output` answers only once its input has ended, a line at a time.
import { closeSync, writeSync } from 'node:fs';

const lines = [];
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const all = (rest + text).split('\n');
  rest = all.pop();
  lines.push(...all);
});

if (process.argv[2] === 'input') {
  writeSync(1, '{"jsonrpc":"2.0","method":"last words"}\n');
  closeSync(1);
  process.stdin.on('end', () => writeSync(2, `${lines.length} heard\n`));
} else {
  process.stdin.on('end', () => void answer());
}

async function answer() {
  for (const line of lines) {
    await new Promise((resolve) => process.stdout.write(`${line}\n`, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
