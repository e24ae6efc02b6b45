// A server with one tool that never answers and one that violates its own output schema.
import { createInterface } from 'node:readline';

const INFO = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'careless', version: '1' },
};
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const DEGREES = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] };
const TOOLS = [
  { name: 'weather', description: 'Tells how warm it is.', inputSchema: CITY, outputSchema: DEGREES },
  { name: 'forecast', description: 'Thinks about it.', inputSchema: CITY },
  { name: 'history', description: 'Is never asked.', inputSchema: CITY },
];

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  if (method === 'initialize') answer(INFO);
  else if (method === 'tools/list') answer({ tools: TOOLS });
  else if (method === 'tools/call' && params.name === 'weather') {
    const structuredContent = { degrees: params.arguments.city === 'Oslo' ? 'cold' : 21 };
    answer({ content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent });
  }
}
