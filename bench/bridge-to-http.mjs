// A minimal Node bridge from a client on stdio to an HTTP server that answers with JSON.
//   node bench/bridge-to-http.mjs URL
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

const [url] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

createInterface({ input: process.stdin }).on('line', (line) => {
  const exchange = request(url, { agent, method: 'POST', headers }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => chunks.length > 0 && process.stdout.write(`${Buffer.concat(chunks)}\n`));
  });
  exchange.end(line);
});
