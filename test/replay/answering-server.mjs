// A stdio server that answers tool calls with the texts in its argument, by tool name. `$random` in a text becomes a
// different word each time; an unknown tool is never answered; `die` ends the server. Text before ` <- ` is logged.
import { createInterface } from 'node:readline';

const texts = JSON.parse(process.argv[2] ?? '{}');
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    say({ id, result: { protocolVersion, capabilities: {}, serverInfo: { name: 'answering', version: '1' } } });
  } else if (method === 'tools/list') {
    const tools = Object.keys(texts).map((name) => ({ name, annotations: { readOnlyHint: name.startsWith('get') } }));
    say({ id, result: { tools } });
  } else if (method === 'tools/call' && params.name in texts) {
    const text = texts[params.name].replaceAll('$random', () => Math.random().toString(36).slice(2));
    const [said, logged] = text.split(' <- ').toReversed();
    if (logged !== undefined) say({ method: 'notifications/message', params: { level: 'info', data: logged } });
    say({ id, result: { content: [{ type: 'text', text: said }] } });
  } else if (params?.name === 'die') process.exit(9);
});
