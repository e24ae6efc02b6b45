import { expect, it } from 'vitest';
import { openStdioLink, type StdioLinkOptions } from '../../src/transport/outbound/stdio-link.ts';
import type { TargetLink } from '../../src/transport/outbound/target-link.ts';
import { startTarget } from '../../src/transport/process/target-process.ts';
import {
  closedAfterTest,
  initialize,
  initialized,
  LinkWitness,
  modernRequest,
  notification,
  request,
} from '../support/link-witness.ts';
import { Place } from '../support/place.ts';
import { bothErasServer, echoServer, lingeringServer, sayingServer, scriptServer } from '../support/servers.ts';
import { Lifeline } from '../transparency/lifeline.ts';

function linkTo(
  command: readonly string[],
  options: Partial<StdioLinkOptions> = {},
): { link: TargetLink; witness: LinkWitness } {
  const { env, platform, kill } = process;
  const witness = new LinkWitness();
  const start = (): ReturnType<typeof startTarget> => startTarget({ command, env, cwd: undefined, platform, kill });
  const link = closedAfterTest(openStdioLink({ start, ...options }, witness));
  return { link, witness };
}

it('exchanges messages with a server of SDK v2 in both eras', async () => {
  const { link, witness } = linkTo(bothErasServer);
  link.send(modernRequest('m', 'tools/call', { name: 'echo', arguments: { text: 'modern' } }));
  expect((await witness.answerTo('m')).text).toContain('"modern"');
  const legacy = linkTo(bothErasServer);
  legacy.link.send(initialize(1));
  legacy.link.send(initialized);
  legacy.link.send(request(2, 'tools/call', { name: 'echo', arguments: { text: 'legacy' } }));
  expect((await legacy.witness.answerTo(2)).text).toContain('"legacy"');
});

it('sends each message unchanged, but on one line', async () => {
  const { link, witness } = linkTo(echoServer);
  const odd = '{"jsonrpc":"2.0", "id":12345678901234567890,"method":"a","params":{"x":1.0,"x":"\\u00e9"}}';
  link.send(odd);
  link.send('{\r\n  "jsonrpc": "2.0",\n"method":"b"}');
  link.send('[{"jsonrpc":"2.0","method":"c"},{"jsonrpc":"2.0","method":"d"}]');
  await link.close();
  expect(witness.messages.map(({ text }) => text)).toEqual([
    odd,
    '{   "jsonrpc": "2.0", "method":"b"}',
    '[{"jsonrpc":"2.0","method":"c"},{"jsonrpc":"2.0","method":"d"}]',
  ]);
  expect(witness.ends).toEqual([undefined]);
});

it('reports lines that are not messages, and how the server exited', async () => {
  const out = 'Hello!\n\r\n{"jsonrpc":"2.0","method":"a"}\r\n[1]\nlast';
  const { witness } = linkTo(sayingServer({ out, err: 'careful\nvery', exit: 3 }));
  expect(await witness.end()).toEqual({ reason: 'the server exited with status 3' });
  expect(witness.messages.map(({ text }) => text)).toEqual(['{"jsonrpc":"2.0","method":"a"}']);
  expect(witness.lines.filter((line) => line.startsWith('noise'))).toEqual([
    'noise: Hello!',
    'noise: [1]',
    'noise: last',
  ]);
  expect(witness.lines.filter((line) => line.startsWith('stderr'))).toEqual(['stderr: careful', 'stderr: very']);
});

it('reports a line that is too long instead of buffering it', async () => {
  const out = `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(100)}"}\n{"jsonrpc":"2.0","method":"a"}\n`;
  const { witness } = linkTo(sayingServer({ out }), { maxMessageBytes: 64 });
  await witness.end();
  expect(witness.lines).toEqual(['noise: (a line of 136 bytes, which is too long)']);
  expect(witness.tooLong).toMatchObject([{ size: 136, sha256: expect.any(String) as string }]);
  // The client that waits for the response gets an error instead.
  expect(witness.messages.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^\{"jsonrpc":"2\.0","id":1,"error":/),
    '{"jsonrpc":"2.0","method":"a"}',
  ]);
});

it('reports a server that could not be started', async () => {
  const { link, witness } = linkTo(['/nowhere/to/be/found']);
  link.send(request(1, 'ping'));
  expect((await witness.end()).reason).toMatch(/^Cannot start ".*": command not found/);
  await link.close();
  expect(witness.ends).toHaveLength(1);
});

it('reports a server that was killed', async () => {
  const { witness } = linkTo(sayingServer({ kill: 'SIGKILL' }));
  expect(await witness.end()).toEqual({ reason: 'the server was killed by SIGKILL' });
});

it('ends a server that ignores EOF and SIGTERM, with its child processes', async () => {
  const lifeline = new Lifeline(new Place());
  const server = lingeringServer({ lifeline: lifeline.path, ignores: ['EOF', 'SIGTERM'], child: true });
  // Long enough for a busy server to report that it received SIGTERM.
  const { link, witness } = linkTo(server, { patience: { eofMs: 50, killMs: 3000 } });
  const held = await Promise.all([lifeline.holds('server'), lifeline.holds('child')]);
  await link.close();
  await Promise.all(held.map(({ gone }) => gone));
  expect(witness.ends).toEqual([undefined]);
  expect(witness.lines).toContain('noise: SIGTERM');
});

it('ends the child processes that a server left behind', async () => {
  const lifeline = new Lifeline(new Place());
  const left = lingeringServer({ lifeline: lifeline.path, ignores: ['EOF'] }).slice(1);
  const leave = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(left)}, {
    stdio: ['pipe', 'inherit', 'inherit'],
  });`;
  const { link, witness } = linkTo(scriptServer(`${leave} process.stdin.once('data', () => process.exit(3));`), {
    patience: { drainMs: 100 },
  });
  const { gone } = await lifeline.holds('server');
  link.send(notification('notifications/leave'));
  await gone;
  expect(await witness.end()).toEqual({ reason: 'the server exited with status 3' });
});

it('reports when a server applies backpressure, and when it drains', async () => {
  const waiting = `
    process.on('SIGUSR2', () => process.stdin.pipe(process.stdout));
    console.log(JSON.stringify({ pid: process.pid }));
    setInterval(() => undefined, 1000);`;
  const { link, witness } = linkTo(scriptServer(waiting), { patience: { eofMs: 50, killMs: 50 } });
  const { pid } = JSON.parse((await witness.until(() => witness.messages[0])).text) as { pid: number };
  const text = notification('notifications/message', { data: 'x'.repeat(1 << 20) });
  expect(link.send(text)).toBe(false);
  expect(witness.drains).toBe(0);
  process.kill(pid, 'SIGUSR2');
  await witness.until(() => witness.drains || undefined);
  expect((await witness.until(() => witness.messages[1])).text).toBe(text);
});

it('answers requests itself once too much is queued for a server that does not read', async () => {
  const idle = 'console.log("{}"); setInterval(() => undefined, 1000);';
  const { link, witness } = linkTo(scriptServer(idle), { patience: { eofMs: 50, killMs: 50 } });
  await witness.until(() => witness.messages[0]);
  const text = notification('notifications/message', { data: 'x'.repeat(34 << 20) });
  for (let i = 0; i < 2; i++) link.send(text);
  expect(link.send(request(7, 'tools/list'))).toBe(false);
  const answer = await witness.answerTo(7);
  expect(answer.origin).toEqual({ requestId: '7', isOwn: true });
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32000 } });
});

it('answers requests itself once a server has closed its stdin', async () => {
  const closing = 'require("node:fs").closeSync(0); console.log("{}"); setInterval(() => undefined, 1000);';
  const { link, witness } = linkTo(scriptServer(closing), { patience: { eofMs: 50, killMs: 50 } });
  await witness.until(() => witness.messages[0]);
  link.send(request(1, 'lost'));
  // The failed first write reveals that the server closed its stdin.
  for (let id = 2; !witness.messages.some(({ origin }) => origin.isOwn); id++) {
    link.send(request(id, 'refused'));
    await new Promise(setImmediate);
  }
  expect(witness.messages.at(-1)?.text).toContain('not sent: the target has closed its input');
  await link.close();
  expect(witness.ends).toEqual([undefined]);
});

it('reads nothing while it is paused', async () => {
  const flood = `
    const line = JSON.stringify({ data: 'x'.repeat(1 << 16) }) + '\\n';
    const say = () => {
      while (process.stdout.write(line));
      process.stdout.once('drain', say);
    };
    say();`;
  const { link, witness } = linkTo(scriptServer(flood), { patience: { eofMs: 10, killMs: 10 } });
  await witness.until(() => witness.messages[0]);
  link.pause();
  await new Promise(setImmediate);
  const { length } = witness.messages;
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  expect(witness.messages).toHaveLength(length);
  link.resume();
  await witness.until(() => witness.messages[length]);
});
