import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { pings, sessionText } from '../support/session-texts.ts';
import { notLinux, unless } from '../support/unless.ts';
import { SlowFile, Terminal, type TerminalOptions } from './terminal.ts';

const session = sessionText(pings(10_000));
/** More than a pipe buffer holds: once it is written, the reader has started. */
const beginning = session.slice(0, 1 << 20);
const rest = session.slice(beginning.length);
const READING = /Reading standard input: 1\.0 MB/;

/** A server that answers only the first request. */
const ANSWERS_ONCE = `
process.stdin.once('data', (data) => {
  const { id } = JSON.parse(String(data).split('\\n')[0]);
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n');
  process.stdin.resume();
});`;

/** Starts mcpreel on a terminal with the beginning of a session on stdin; it waits for the rest. */
async function waiting(args: string, options: TerminalOptions = {}) {
  const place = new Place();
  place.write('other.json', sessionText(pings(1)));
  const input = new SlowFile(place.path('input'));
  const terminal = new Terminal(`${args} < input`, place, options);
  await input.write(beginning);
  return { place, input, terminal };
}

describe('the progress line', unless(notLinux), () => {
  it('the progress line is cleared at the end and does not change results in a file', async () => {
    const { place, input, terminal } = await waiting('inspect -', { redirects: '> out.txt' });
    await terminal.shown(READING);
    input.end(rest);
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toBe('');
    expect(terminal.passing().every((text) => text === '' || text.startsWith('Reading standard input: '))).toBe(true);
    const { stdout } = await place.run(['inspect', '-'], { input: session });
    expect(place.read('out.txt')).toBe(stdout);
  });

  it('the progress line does not change results on the same terminal', async () => {
    const { place, input, terminal } = await waiting('inspect --json -');
    await terminal.shown(READING);
    input.end(rest);
    expect(await terminal.ended).toBe(0);
    const { stdout } = await place.run(['inspect', '--json', '-'], { input: session });
    expect(terminal.screen()).toBe(stdout);
  });

  it('every command that reads a session shows progress', async () => {
    const commands = {
      'inspect --calls -': 0,
      'inspect --stats -': 0,
      'inspect --findings -': 0,
      'inspect --filter id:7 -': 0,
      'stats -': 0,
      'check -': 3,
      // This session lists no tools.
      'baseline accept -': 1,
      'diff - other.json': 0,
      'export -': 0,
      'import - --to trace': 0,
      'redact -': 0,
    };
    const runs = Object.keys(commands).map(async (args) => {
      const { input, terminal } = await waiting(args, { redirects: '> out.txt' });
      await terminal.shown(READING);
      input.end(rest);
      const status = await terminal.ended;
      return [args, terminal.screen().includes('Reading') ? 'not erased' : status];
    });
    expect(Object.fromEntries(await Promise.all(runs))).toEqual(commands);
  });

  it('the progress line is cleared before an error is printed', async () => {
    const { input, terminal } = await waiting('inspect --strict -');
    await terminal.shown(READING);
    input.end();
    expect(await terminal.ended).toBe(1);
    expect(terminal.screen()).toMatch(/^Error: .*standard input.*\n$/);
  });

  it('shows how many files have been read, and clears the line after Ctrl-C', async () => {
    const place = new Place();
    place.write('big.json', sessionText(pings(40_000)));
    const terminal = new Terminal(`stats ${'big.json '.repeat(1000)}`, place);
    await terminal.shown(/Reading \d+ of 1000, big\.json: \d+ % \(\d+\.\d [kM]B of \d+\.\d MB\)/);
    terminal.interrupt();
    expect(await terminal.ended).toBe(130);
    expect(terminal.screen()).toBe('');
  });

  it('shows the progress of a replay whose results are redirected to a file', async () => {
    const place = new Place();
    const answered = pings(2).flatMap((request, n) => [
      request,
      { from: '<' as const, payload: `{"jsonrpc":"2.0","id":${n + 1},"result":{}}` },
    ]);
    place.write('talk.json', sessionText(answered));
    place.write('server.mjs', ANSWERS_ONCE);
    const args = `replay talk.json --no-handshake --timeout 4 -- "${process.execPath}" server.mjs`;
    const terminal = new Terminal(args, place, { redirects: '> out.txt' });
    await terminal.shown(/Replaying talk\.json: 50 % \(1 of 2 messages\)/);
    expect(await terminal.ended).toBe(3);
    expect(terminal.screen()).toBe('');
    expect(place.read('out.txt')).toContain('1/2 matched');
  });

  it('the progress line fits a narrow terminal', async () => {
    const { input, terminal } = await waiting('inspect --stats -', { columns: 24 });
    await terminal.shown(/Reading … input: 1\.0 MB/);
    input.end(rest);
    expect(await terminal.ended).toBe(0);
    expect(Math.max(...terminal.passing().map((text) => text.split('\r\n')[0]?.length ?? 0))).toBeLessThan(24);
  });

  it('shows no progress if stderr is no terminal, the terminal cannot rewrite a line, or it runs in CI', async () => {
    const quiet: readonly TerminalOptions[] = [
      { redirects: '2> err.txt' },
      { env: { TERM: 'dumb' } },
      { env: { CI: 'true' } },
    ];
    const readers = await Promise.all(quiet.map((options) => waiting('inspect -', options)));
    // A reader that started later already shows progress, so enough time has passed.
    const other = await waiting('inspect -');
    await other.terminal.shown(READING);
    for (const { place, input, terminal } of readers) {
      input.end(rest);
      expect(await terminal.ended).toBe(0);
      expect(terminal.passing()).toEqual([]);
      expect(terminal.screen()).toContain('\nMessages: 10000\n');
      if (place.files().includes('err.txt')) expect(place.read('err.txt')).toBe('');
    }
    other.input.end(rest);
    expect(await other.terminal.ended).toBe(0);
  });
});
