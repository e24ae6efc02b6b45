import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { installPeers, peer, peerNode } from '../../scripts/peers.mjs';
import { expectCorrelation } from '../support/conversation.ts';
import { startProxy } from '../support/http-proxy.ts';
import { startEverything } from '../support/http-servers.ts';
import { inLongRuns } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { exchangesOf } from './exchanges.ts';

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';

const INSTALL_MS = 600_000;

beforeAll(installPeers, INSTALL_MS);

/** Runs the MCP Inspector CLI, which needs a newer Node than the tests. */
async function inspect(place: Place, url: string, ...question: string[]): Promise<{ code: number; answer: unknown }> {
  const child = spawn(peerNode, [peer(INSPECTOR), '--cli', url, ...question], {
    cwd: place.folder,
    env: { PATH: process.env.PATH ?? '', HOME: place.folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, answer: code === 0 ? JSON.parse(stdout) : stdout + stderr };
}

describe.each([
  ['streamable-http', 'http'],
  ['sse', 'sse'],
] as const)('MCP Inspector over %s', (transport, itsName) => {
  it('MCP Inspector gets the same results through mcpreel, in one conversation per command', async () => {
    const place = new Place();
    const target = await startEverything(transport);
    const proxy = await startProxy(place, ['--transport', transport, '--target-url', target]);
    const call = ['tools/call', '--tool-name', 'echo', '--tool-arg', 'message=Zoë'];
    const questions = inLongRuns([['tools/list'], call, ['resources/list']], [call]);
    for (const [method = '', ...more] of questions) {
      const question = ['--transport', itsName, '--method', method, ...more];
      const direct = await inspect(place, target, ...question);
      expect(direct).toMatchObject({ code: 0 });
      expect(await inspect(place, proxy.url, ...question)).toEqual(direct);
    }
    const { trace } = await proxy.stop();

    for (const [index, [method]] of questions.entries()) {
      const own = trace.messages.filter(({ conversation }) => conversation === index + 1);
      expectCorrelation(own);
      expect(own[0]?.payload).toMatchObject({ method: 'initialize' });
      expect(own.map(({ payload }) => payload.method)).toContain(method);
    }
    expect(exchangesOf(trace).filter(({ error }) => error !== null && error !== 'the client left')).toEqual([]);
  });
});
