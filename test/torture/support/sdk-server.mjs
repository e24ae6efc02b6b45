import { once } from 'node:events';
import { server, startNode } from './reel.mjs';

/** Starts an SDK v2 server over Streamable HTTP. It exits when its stdin ends. */
export async function startSdkServer(folder) {
  // This socket path does not exist: the server's reports are not used.
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
