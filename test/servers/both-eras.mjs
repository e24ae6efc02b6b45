// An SDK v2 server for clients of both protocol eras, with one echo tool.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'both-eras', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Returns the text it gets.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
});
