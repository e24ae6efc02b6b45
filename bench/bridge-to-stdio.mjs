// A minimal Node bridge from HTTP clients to a server on stdio, without sessions or checks.
//   node bench/bridge-to-stdio.mjs server…
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();

createInterface({ input: child.stdout }).on('line', (line) => {
  const { id } = JSON.parse(line);
  waiting.get(id)?.writeHead(200, { 'Content-Type': 'application/json' }).end(line);
  waiting.delete(id);
});

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const { id } = JSON.parse(body);
    child.stdin.write(`${body}\n`);
    if (id === undefined) response.writeHead(202).end();
    else waiting.set(id, response);
  });
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${server.address().port}/mcp\n`);
});
