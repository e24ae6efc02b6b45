import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runSample } from '../support/live-sample.ts';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { pings, seedExample, sessionText } from '../support/session-texts.ts';
import { runInShell } from '../support/shell.ts';
import { notLinux, unless } from '../support/unless.ts';

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

/** Commands that print to stdout. */
const COMMANDS: readonly string[] = [
  '',
  '--help',
  '--version',
  'inspect --help',
  'help export',
  'inspect seed.json',
  'inspect --calls --json seed.json',
  'inspect --stats seed.json',
  'inspect --findings seed.json',
  'stats seed.json',
  'check many.json',
  'check --json many.json',
  'diff seed.json many.json',
  'diff --json seed.json many.json',
  'export seed.json',
  'export seed.json -f assay',
  'export seed.json -o out.json',
  'import many.json --to trace -o -',
  'redact seed.json',
  'sessions --json',
  'completion bash',
  `replay many.json --no-handshake --timeout 1 -- ${quoted(echoServer)}`,
  `replay many.json --dry-run -- ${quoted(echoServer)}`,
];

function placeWithSessions(): Place {
  const place = new Place();
  place.write('seed.json', seedExample);
  place.write('many.json', sessionText(pings(3)));
  return place;
}

describe('a result that cannot be written', unless(notLinux), () => {
  it.each(COMMANDS)('reports a failed write to stdout in one line, with exit code 1: mcpreel %s', (command) => {
    const { code, stderr } = runInShell(placeWithSessions(), `mcpreel ${command} > /dev/full`);
    expect({ code, told: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      told: 'Error: Cannot write to standard output: the disk is full',
    });
  });

  it('mcpreel hold reports a failed write to stdout, and releases the session', async () => {
    const place = new Place();
    const { session } = await runSample(place);
    const command = `"${process.execPath}" "${MCPREEL}" hold < /dev/null > /dev/full`;
    // Uses an asynchronous spawn, because the session runs in this process.
    const running = spawn('sh', ['-c', command], { cwd: place.folder, env: place.environment() });
    const [stderr, [code]] = await Promise.all([text(running.stderr), once(running, 'close')]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Error: Cannot write to standard output: the disk is full\n',
    });
    expect(session.state.mode).toBe('passthrough');
  });
});

it('help that is not read to its end is not a failure', () => {
  expect(runInShell(new Place(), '{ mcpreel --help; echo $? >&2; } | true')).toMatchObject({ stderr: '0\n' });
});
