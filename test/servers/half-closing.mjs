// Closes one of its directions before the other. `input` closes stdout first and reports on stderr what it still
// receives; `output` answers line by line, but only after its stdin has ended.
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
