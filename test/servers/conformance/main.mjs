// The conformance fixture: an HTTP server that implements the official suite's scenarios for clients of both eras. It
// prints its URL once it listens, on PORT or a free port. With the argument `until-eof` it exits when its stdin ends,
// so that it never outlives its parent.
import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation } from '@modelcontextprotocol/node';
import { createEndpoint } from './endpoint.mjs';

const PATH = '/mcp';
const allowsHost = localhostHostValidation();
const allowsOrigin = localhostOriginValidation();
const serve = createEndpoint();

const server = createServer((request, response) => {
  if (!allowsHost(request, response) || !allowsOrigin(request, response)) return;
  if (new URL(request.url, 'http://localhost').pathname !== PATH) {
    response.writeHead(404).end();
    return;
  }
  serve(request, response).catch((error) => fail(response, error));
});

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}${PATH}\n`);
});

if (process.argv.includes('until-eof')) process.stdin.on('end', () => process.exit()).resume();

function fail(response, error) {
  process.stderr.write(`${error.stack}\n`);
  if (response.headersSent) response.destroy();
  else response.writeHead(error.status ?? 500, { 'Content-Type': 'text/plain' }).end(error.message);
}
