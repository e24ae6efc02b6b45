import { fileURLToPath } from 'node:url';
import type { Place } from './place.ts';

/** A server with one tool that never answers and one that violates its own schema. */
const CARELESS: string = fileURLToPath(new URL('../servers/careless.mjs', import.meta.url));

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'careful', version: '1' },
};

/** Records a session in which these tools are called one after the other, each with a city. */
export async function recordCareless(
  place: Place,
  file: string,
  calls: readonly (readonly [tool: string, city: unknown])[],
): Promise<void> {
  const running = place.start(['--session-file', file, '--', process.execPath, CARELESS]);
  const say = (message: object): void => running.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    say({ id, method, params });
    await running.sent(`"id":${id},"result"`);
  };
  await ask(0, 'initialize', HANDSHAKE);
  say({ method: 'notifications/initialized' });
  await ask(1, 'tools/list', {});
  for (const [index, [name, city]] of calls.entries()) {
    const params = { name, arguments: { city } };
    if (name === 'forecast') say({ id: index + 2, method: 'tools/call', params });
    else await ask(index + 2, 'tools/call', params);
  }
  running.end();
  await running.ended;
}
