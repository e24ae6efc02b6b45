import { once } from 'node:events';
import { server, startNode } from './reel.mjs';

/** Starts a server of SDK v2 over Streamable HTTP. It ends with its input. */
export async function startSdkServer(folder) {
  // Nobody listens to what it notes.
  const child = startNode([server('noting.mjs'), 'streamable-http', `${folder}/nobody`]);
  child.stderr.resume();
  const [url] = await once(child.stdout, 'data');
  return {
    url: String(url).trim(),
    async close() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
