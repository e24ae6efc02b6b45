// A minimal server with either SDK: one handler that echoes its input, without schemas of its own.
const isV2 = process.argv[2] === 'v2';
const about = { name: 'echo', version: '1.0.0' };
const options = { capabilities: { tools: {} } };
const echo = ({ params }) => ({ content: [{ type: 'text', text: params.arguments.text }] });

if (isV2) {
  const [{ Server }, { StdioServerTransport }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const server = new Server(about, options);
  server.setRequestHandler('tools/call', echo);
  await server.connect(new StdioServerTransport());
} else {
  const [{ Server }, { StdioServerTransport }, { CallToolRequestSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const server = new Server(about, options);
  server.setRequestHandler(CallToolRequestSchema, echo);
  await server.connect(new StdioServerTransport());
}
