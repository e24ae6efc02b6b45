// A minimal server that echoes each request, as JSON at /json and as an event stream at /sse.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(Buffer.concat(chunks));
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = method === 'initialize' ? about(params) : echo(params);
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
    if (request.url === '/sse') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
      response.end(`event: message\ndata: ${answer}\n\n`);
    } else {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) });
      response.end(answer);
    }
  });
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${server.address().port}/json\n`);
});

function about({ protocolVersion }) {
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1.0.0' } };
}

function echo(params) {
  return { content: [{ type: 'text', text: params?.arguments?.text ?? '' }] };
}
