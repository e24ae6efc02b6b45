// A minimal Node HTTP proxy, the baseline for mcpreel.
//   node bench/http-pass-through.mjs TARGET_URL
import { Agent, createServer, request } from 'node:http';

const target = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, response) => {
  const { method, url: path, rawHeaders: headers } = incoming;
  const { hostname, port } = target;
  const upstream = request({ agent, hostname, port, method, path, headers, setHost: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.statusMessage, answer.rawHeaders);
    response.flushHeaders();
    answer.pipe(response);
    // The client must see a broken response as broken.
    answer.on('error', () => response.destroy());
  });
  upstream.on('error', () => response.destroy());
  incoming.pipe(upstream);
  response.on('close', () => upstream.destroy());
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${server.address().port}${target.pathname}\n`);
});
