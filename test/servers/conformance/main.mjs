// An MCP server over HTTP that speaks to clients of both eras on one endpoint and has all that the official conformance
// suite looks for. It prints its URL when it listens, on the port of PORT or a free one; with the argument
// `until-eof` it ends with its input, so that it never outlives whoever started it.
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
