import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines, parseTrace, readSessionFile } from '../support/recordings.ts';
import { echoServer, stubbornServer } from '../support/servers.ts';
import { partText, SESSION_ID, type TraceShape, traceText } from '../support/trace-texts.ts';

const FIRST = 'home/sessions/2026-03-04T10-00-00-000Z-fs-abcd1234.jsonl';
const part = (n: number): string => FIRST.replace('.jsonl', n === 1 ? '.jsonl' : `.part-${n}.jsonl`);

function stored(shape: TraceShape): CommandPlace {
  const place = new CommandPlace();
  place.write(FIRST, traceText(shape));
  return place;
}

const CUT_SHORT = 'The recording was cut short: how the session ended is unknown.\n';

describe('mcpreel sessions recover', () => {
  it('writes the session file of a recorder that was killed', async () => {
    const place = new CommandPlace();
    const flags = ['--no-journal', '--label', 'crash', '--session-file', 'never.json'];
    const recording = place.start([...flags, '--', ...stubbornServer]);
    recording.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
    // The request was recorded before its response could arrive.
    await recording.sent('"number":1');
    recording.signal('SIGKILL');
    await recording.ended;
    expect(existsSync(place.path('never.json'))).toBe(false);
    const { meta } = parseTrace(place.trace());
    const { code, stdout, stderr } = await place.run(['sessions', 'recover', String(meta.id), '-o', 'back.json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: CUT_SHORT });
    const { session, messages } = readSessionFile(place.path('back.json'));
    expect(session).toMatchObject({ id: meta.id, ended_at: null });
    expect(messages.map(({ payload }) => payload)).toContainEqual({ jsonrpc: '2.0', id: 1, method: 'a' });
    expect(stdout).toBe(`Recovered ${messages.length} message${messages.length === 1 ? '' : 's'} to back.json\n`);
  });

  it('writes beside the trace, and removes that file with the session', async () => {
    const place = stored({ meta: { label: '../a b/c' }, end: {} });
    const target = FIRST.replace('.jsonl', '.json');
    const { code, stdout, stderr } = await place.run(['sessions', 'recover', 'abcd']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Recovered 2 messages to ${place.path(target)}\n`,
      stderr: '',
    });
    expect(readSessionFile(place.path(target)).session).toMatchObject({ id: SESSION_ID });
    // A second recovery finds the same session.
    expect(await place.run(['sessions', 'recover', 'abcd'])).toMatchObject({ code: 0 });
    expect(await place.run(['sessions', 'rm', 'abcd'])).toMatchObject({ code: 0 });
    expect(existsSync(place.path(target))).toBe(false);
  });

  it('shows the path that the trace names, and the command that writes there, but does not write there', async () => {
    const place = new CommandPlace();
    const requested = place.path("it's wanted.json");
    place.write(FIRST, traceText({ meta: { sessionFile: requested }, end: {} }));
    const { stdout, stderr } = await place.run(['sessions', 'recover', 'abcd']);
    expect(stdout).toBe(`Recovered 2 messages to ${place.path(FIRST.replace('.jsonl', '.json'))}\n`);
    expect(stderr).toContain(`sessions recover abcd -o '${requested.replace("'", "'\\''")}'\n`);
    expect(existsSync(requested)).toBe(false);
  });

  it('shows the path that the trace names, escaped, if no shell takes it', async () => {
    const place = new CommandPlace();
    place.write(FIRST, traceText({ meta: { sessionFile: '/home/me/report\tmay.json' }, end: {} }));
    const { stderr } = await place.run(['sessions', 'recover', 'abcd']);
    expect(stderr).toContain('recorded with --session-file /home/me/report\\tmay.json. ');
    expect(stderr).not.toContain('VALUE-LEFT-OUT');
  });

  it.each([
    ['another session', traceText({ id: 'ffff0000-0000-4000-8000-000000000000' })],
    ['something else', 'precious'],
  ])('does not overwrite %s beside the trace', async (_, text) => {
    const place = stored({});
    const target = FIRST.replace('.jsonl', '.json');
    place.write(target, text);
    const { code, stdout, stderr } = await place.run(['sessions', 'recover', 'abcd']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: .*abcd1234\.json exists and belongs to another session\. .*\n$/);
    expect(place.read(target)).toBe(text);
    expect(await place.run(['sessions', 'recover', 'abcd', '-o', place.path(target)])).toMatchObject({ code: 0 });
  });

  it('lets a trace choose no member of the session file', async () => {
    const extra = { version: 99, messages_count: 7, evil: true, ended_at: 'never', trace: { x: 1 } };
    const place = stored({ meta: { extra, other: 1 }, end: {} });
    expect(await place.run(['sessions', 'recover', 'abcd', '-o', 'out.json'])).toMatchObject({ code: 0 });
    const written = JSON.parse(place.read('out.json')) as Record<string, unknown>;
    const plain = stored({ meta: { other: 1 }, end: {} });
    await plain.run(['sessions', 'recover', 'abcd', '-o', 'out.json']);
    const expected = JSON.parse(plain.read('out.json')) as Record<string, unknown>;
    expect(Object.keys(written)).toEqual(Object.keys(expected));
    expect(written).toMatchObject({ ...expected, trace: { meta: { extra, other: 1 } } });
  });

  it('recovers the messages so far of a running session', async () => {
    const place = stored({});
    const startedAt = '2026-03-04T10:00:00.000Z';
    const live = { id: SESSION_ID, pid: process.pid, startedAt, label: 'fs', trace: place.path(FIRST) };
    place.write(`home/live/${SESSION_ID}.json`, JSON.stringify(live));
    const { code, stderr } = await place.run(['sessions', 'recover', 'abcd', '-o', 'now.json']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'The session is still running: later messages are not in the file.\n',
    });
  });

  it('reports which line was lost', async () => {
    const place = new CommandPlace();
    place.write(FIRST, traceText().slice(0, -9));
    const { code, stdout, stderr } = await place.run(['sessions', 'recover', 'abcd', '-o', 'x.json']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Recovered 1 message to x.json\n' });
    expect(stderr).toBe(`${place.path(FIRST)}: line 3: cut off in the middle\n${CUT_SHORT}`);
  });
});

describe('a session in parts', () => {
  /** A trace of three parts without its first part. */
  function rotated(): CommandPlace {
    const place = new CommandPlace();
    place.write(part(2), partText(2, [2, 4]));
    place.write(part(3), partText(3, [4, 7], { end: {} }));
    place.write(part(10), partText(10, [0, 1], { id: 'abcd1234-ffff-4000-8000-000000000000' }));
    return place;
  }

  it('lists a session in parts once, with all of its files', async () => {
    const place = rotated();
    const [a, b, last] = jsonLines((await place.run(['sessions', '--json'])).stdout);
    const own = [a, b].find((session) => session?.session === SESSION_ID);
    const files = [part(2), part(3)].map((name) => ({ path: place.path(name), bytes: place.read(name).length }));
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect(own).toMatchObject({ entries: 7, state: 'ended', bytes, files });
    expect(last).toMatchObject({ summary: { sessions: 2 } });
  });

  it('inspects, shows and recovers a session in parts as one', async () => {
    const place = rotated();
    const inspected = await place.run(['inspect', SESSION_ID]);
    expect(inspected).toMatchObject({ code: 0, stderr: '' });
    expect(inspected.stdout).toContain('Messages: 5\n');
    expect((await place.run(['inspect', 'abcd1234'])).stderr).toMatch(/^Error: 2 session ids start with abcd1/);
    expect((await place.run(['sessions', 'show', SESSION_ID])).stdout.match(/^File: /gm)).toHaveLength(2);
    await place.run(['sessions', 'recover', SESSION_ID, '-o', 'all.json']);
    const { session, messages } = readSessionFile(place.path('all.json'));
    expect(messages).toHaveLength(5);
    expect(session.events).toEqual([
      expect.objectContaining({
        before: 0,
        kind: 'mcpreel.gap',
        raw: { missed: 2, why: 'earlier parts were removed' },
      }),
    ]);
    expect(place.read('all.json')).not.toContain('"part"');
  });

  it('removes all parts of a session, and no file that only looks like one', async () => {
    const place = rotated();
    expect((await place.run(['sessions', 'rm', SESSION_ID])).stdout).toMatch(/^Deleted 1 session, /);
    expect(place.traces()).toEqual([part(10)]);
  });
});

it('a rotating recorder is live until it is killed, and its files are read as one session', async () => {
  const place = new CommandPlace();
  const recording = place.start(['--max-bytes', '1000', '--max-files', '2', '--', ...echoServer]);
  for (let id = 1; id <= 20; id++) {
    recording.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    await recording.sent(`"id":${id},`);
  }
  // A message is forwarded before it is recorded.
  const recorded = (): string =>
    place
      .traces()
      .map((name) => place.read(name))
      .join('');
  await vi.waitFor(() => expect(recorded().split('"id":20,')).toHaveLength(3));
  const [live] = jsonLines((await place.run(['sessions', '--json'])).stdout);
  expect(live).toMatchObject({ state: 'live', pid: expect.any(Number) });
  expect(live?.files).toHaveLength(2);
  expect(await place.run(['sessions', 'rm', String(live?.session)])).toMatchObject({ code: 1 });
  recording.signal('SIGKILL');
  await recording.ended;
  const [left] = jsonLines((await place.run(['sessions', '--json'])).stdout);
  expect(left).toMatchObject({ session: live?.session, state: 'cut short', entries: 40 });
  expect(place.files().filter((name) => name.startsWith('home/live/'))).toEqual([]);
  await place.run(['sessions', 'recover', String(live?.session), '-o', 'left.json']);
  const { session, messages } = readSessionFile(place.path('left.json'));
  expect(session.events).toEqual([expect.objectContaining({ kind: 'mcpreel.gap', before: 0 })]);
  const [{ raw }] = session.events as [{ raw: { missed: number } }];
  expect(raw.missed + messages.length).toBe(40);
  expect(messages.at(-1)?.payload).toMatchObject({ id: 20 });
});
