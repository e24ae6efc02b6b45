// A server whose tools answer differently each time, and keep their counts in its working folder. It runs on stdio, or
// over HTTP on the port it reports. `count` counts; `same` does not; `once` answers only the first time, and `last`
// ends the server after that; `echo` echoes. The file `pids` lists its processes. The second process ignores what the
// further arguments name: signals, and the end of its stdin ("EOF"). The first process ends with its session, and later
// ones at once.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [transport, ...ignores] = process.argv.slice(2);
appendFileSync('pids', `${process.pid}\n`);

/** How often a tool was called, including this call. */
function times(tool) {
  appendFileSync(`${tool}.calls`, 'x');
  return readFileSync(`${tool}.calls`).length;
}

function answerTo({ method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'changing', version: '1.0.0' };
    return { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
  }
  if (method !== 'tools/call') return { error: { code: -32601, message: 'No such method' } };
  const { name, arguments: given = {} } = params;
  if (name === 'same') return said('the same');
  if (name === 'echo') return said(`${times('echo') > 1 ? 'again ' : ''}${given.text}`);
  const count = times(name);
  if (count > 1 && name === 'last') {
    process.stderr.write('no more of this\n', () => process.exit(3));
    return undefined;
  }
  if (count > 1 && name === 'once') return undefined;
  return said(JSON.stringify({ count, key: existsSync('key') ? process.env.SHOP_KEY : undefined }));
}

const said = (text) => ({ result: { content: [{ type: 'text', text }] } });

function reply(message, send) {
  const answer = message.id === undefined ? undefined : answerTo(message);
  if (answer !== undefined) send(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
}

function serveStdio() {
  if (readFileSync('pids', 'utf8').trim().split('\n').length === 2) {
    for (const signal of ignores.filter((what) => what !== 'EOF')) process.on(signal, () => undefined);
    if (ignores.includes('EOF')) setInterval(() => undefined, 1000);
  }
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) reply(JSON.parse(line), (answer) => process.stdout.write(`${answer}\n`));
  });
}

function serveHttp() {
  const server = createServer((request, response) => void serveExchange(request, response));
  server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
  process.stdin.on('end', () => process.exit()).resume();
}

async function serveExchange(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST') response.writeHead(405).end();
  else if (JSON.parse(body).id === undefined) response.writeHead(202).end();
  else reply(JSON.parse(body), (answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(answer));
}

if (transport === 'http') serveHttp();
else serveStdio();
