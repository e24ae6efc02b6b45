import { createInterface } from 'node:readline';

/** A server that sends every text in SECRETS, a JSON list, in every field that a server can fill. */
const secrets = JSON.parse(process.env.SECRETS ?? '[]');
const said = secrets.map((text) => ({ type: 'text', text }));
const tools = ['leak', 'fail', 'later'].map((name) => ({
  name,
  description: secrets.join('\n'),
  inputSchema: { type: 'object', properties: { all: { type: 'array' } } },
}));

const answers = {
  initialize: () => ({
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'leaking', version: '1' },
      instructions: secrets.join('\n'),
    },
  }),
  'tools/list': () => ({ result: { tools } }),
  'tools/call': ({ name }) =>
    name === 'fail'
      ? { error: { code: -32000, message: secrets.join('\n'), data: secrets } }
      : { result: { content: said, structuredContent: { run: process.env.RUN ?? '', all: secrets } } },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  // A replay prints its server's stderr unredacted, because the user is meant to see it.
  if (process.env.RUN === undefined) {
    process.stderr.write(`${secrets.join('\n')}\n`);
    process.stdout.write(`no JSON: ${secrets.join(' ').replaceAll('\n', ' ')}\n`);
  }
  const answer = answers[method]?.(params) ?? { error: { code: -32601, message: 'unknown' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
