import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** A small MCP server for `mcpreel demo`: a tool that answers, one that reports progress, and one that fails. */
const server = new McpServer({ name: 'weather', version: __MCPREEL_VERSION__ });

server.registerTool(
  'get_weather',
  {
    description: 'Returns the weather in a city on a day, counted from today.',
    inputSchema: z.object({ city: z.string(), day: z.number().int() }),
    annotations: { readOnlyHint: true },
  },
  async ({ city, day }) => ({
    content: [{ type: 'text', text: `${city}, day ${day}: 4 °C, rain` }],
  }),
);

server.registerTool(
  'get_forecast',
  {
    description: 'Computes a forecast and reports progress.',
    inputSchema: z.object({ days: z.number().int().min(1).max(100) }),
    annotations: { readOnlyHint: true },
  },
  async ({ days }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      const params = { progressToken, progress: Math.ceil(days / 2), total: days, message: 'half of the days' };
      await ctx.mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [{ type: 'text', text: `Forecast for ${days} days: rain` }] };
  },
);

server.registerTool(
  'get_alerts',
  {
    description: 'Returns the weather alerts of a region.',
    inputSchema: z.object({ region: z.string() }),
    annotations: { readOnlyHint: true },
  },
  async ({ region }) => {
    throw new Error(`There is no weather station in "${region}"`);
  },
);

await server.connect(new StdioServerTransport());
