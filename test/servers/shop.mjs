// An SDK v2 server in two versions, selected by its argument. The second counts differently and lacks a tool.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const version = Number(process.argv[2]);
const inputSchema = z.object({ item: z.string() });
const text = (said) => ({ content: [{ type: 'text', text: said }] });

/** Quotes that wait for a second one, so that both calls overlap. */
const waiting = [];

serveStdio(() => {
  const server = new McpServer({ name: 'shop', version: `${version}.0.0` });
  server.registerTool('stock', { description: 'Counts an item.', inputSchema }, async ({ item }) =>
    text(JSON.stringify({ item, count: version + 2, checkedAt: new Date().toISOString() })),
  );
  server.registerTool('quote', { description: 'Prices an item.', inputSchema }, async ({ item }) => {
    await new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) for (const release of waiting.splice(0)) release();
    });
    return text(`${item}: ${item.length} coins`);
  });
  if (version === 1) {
    server.registerTool('order', { description: 'Orders an item.', inputSchema }, async ({ item }) => text(item));
  }
  return server;
});
