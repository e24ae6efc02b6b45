import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** A small MCP server for `mcpreel demo`: a clapperboard, a roll of film, and a projector that jams. */
const server = new McpServer({ name: 'film-studio', version: __MCPREEL_VERSION__ });

server.registerTool(
  'clap',
  {
    description: 'Marks a scene and a take.',
    inputSchema: z.object({ scene: z.number().int(), take: z.number().int() }),
    annotations: { readOnlyHint: true },
  },
  async ({ scene, take }) => ({
    content: [{ type: 'text', text: `Scene ${scene}, take ${take}. Action!` }],
  }),
);

server.registerTool(
  'develop',
  {
    description: 'Develops a roll of film and reports its progress.',
    inputSchema: z.object({ frames: z.number().int().min(1).max(100) }),
    annotations: { readOnlyHint: true },
  },
  async ({ frames }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      const params = { progressToken, progress: Math.ceil(frames / 2), total: frames, message: 'half of it developed' };
      await ctx.mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [{ type: 'text', text: `${frames} frames developed.` }] };
  },
);

server.registerTool(
  'project',
  {
    description: 'Shows a reel on the screen.',
    inputSchema: z.object({ reel: z.string() }),
    annotations: { readOnlyHint: true },
  },
  async ({ reel }) => {
    throw new Error(`The projector jammed on "${reel}".`);
  },
);

await server.connect(new StdioServerTransport());
