import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { recordSession, startMock } from '../../src/index.ts';
import { initialize } from '../support/link-witness.ts';
import { sessionText } from '../support/session-texts.ts';
import { ownPlace, shop } from './shop.ts';

interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
}

/** Runs the program that a client runs as its server, and never closes its stdin. */
function run({ command, args }: ProgramOptions): {
  program: ChildProcess;
  line: Promise<string>;
  exit: Promise<unknown>;
} {
  const program = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void program.kill('SIGKILL'));
  program.stdin.on('error', () => undefined);
  const line = once(createInterface(program.stdout), 'line').then(([text]) => text as string);
  return { program, line, exit: once(program, 'exit').then(([code]) => code as unknown) };
}

it('stop() ends the programs that clients of a recording have started', async () => {
  ownPlace();
  const recording = await recordSession({ command: shop(1) });
  const talking = run(recording);
  talking.program.stdin?.write(`${initialize(0)}\n`);
  expect(JSON.parse(await talking.line)).toMatchObject({ id: 0, result: {} });
  const silent = run(recording);
  const broken = run(recording);
  broken.program.stdin?.write('{"jsonrpc":');
  await recording.stop();
  expect(await talking.exit).toBe(0);
  // These may have connected before or after the end.
  await Promise.all([silent.exit, broken.exit]);
});

it('stop() ends the programs that clients of a mock have started', async () => {
  const place = ownPlace();
  const requested = initialize(0);
  const answered =
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}';
  const messages = [
    { payload: requested },
    { payload: answered, from: '<' as const, more: '"correlated_id":"msg-001"' },
  ];
  place.write('session.json', sessionText(messages));
  const mock = await startMock(place.path('session.json'));
  const { program, line, exit } = run(mock);
  program.stdin?.write(`${requested}\n`);
  expect(JSON.parse(await line)).toMatchObject({ id: 0 });
  await mock.stop();
  expect(await exit).toBe(0);
});
