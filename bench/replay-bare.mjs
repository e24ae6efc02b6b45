// A minimal replay client: sends the client messages of a trace again, and waits where the recorded client waited.
//   node bench/replay-bare.mjs trace.jsonl server…
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, program, ...args] = process.argv.slice(2);
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
  const { dir, raw } = JSON.parse(line);
  if (dir === 'in') server.stdin.write(`${JSON.stringify(raw)}\n`);
  if (dir === 'out') JSON.parse((await answers.next()).value);
}
server.stdin.end();
