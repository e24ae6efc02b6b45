import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { eventsOf, parseTrace, readSessionFile } from '../support/recordings.ts';
import { echoServer, sayingServer } from '../support/servers.ts';
import { asRoot, notLinux, unless } from '../support/unless.ts';

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

describe('the trace', () => {
  it('the trace is in the state folder, named by time, label and id, readable only by its owner', async () => {
    const place = new Place();
    await place.run(['--', ...echoServer], { input: ping });
    const [name = ''] = place.traces();
    const { meta } = parseTrace(place.trace());
    const [, time, id] =
      /^home\/sessions\/(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)-echo-([\da-f]{8})\.jsonl$/.exec(name) ?? [];
    expect(time).toBe(String(meta.startedAt).replaceAll(/[:.]/g, '-'));
    expect(id).toBe(String(meta.id).slice(0, 8));
    expect(place.mode(name)).toBe(0o600);
    expect(place.mode('home/sessions')).toBe(0o700);
    expect(place.mode('home')).toBe(0o700);
  });

  it.each(['/proc/mcpreel', '/dev/null/mcpreel', 'a-file/mcpreel', 'a-loop/mcpreel', `${'long'.repeat(100)}/mcpreel`])(
    'forwards everything without a trace if its folder cannot be created: %s',
    unless(notLinux),
    async (folder) => {
      const place = new Place();
      place.write('a-file', '');
      symlinkSync('a-loop', place.path('a-loop'));
      const { code, stdout, stderr } = await place.run(['--', ...echoServer], {
        input: ping,
        env: { MCPREEL_HOME: resolve(place.folder, folder) },
      });
      expect({ code, stdout }).toEqual({ code: 0, stdout: ping });
      expect(stderr).toMatch(
        /^mcpreel: Recording paused: .*\n(?:mcpreel: Other processes cannot watch or control this session: .*\n)?$/,
      );
    },
  );

  it('records in a working folder that was removed', unless(notLinux), () => {
    const place = new Place();
    const line = 'mkdir gone && cd gone && rmdir "$PWD" && exec "$0" "$1" -- cat';
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line, process.execPath, MCPREEL], {
      cwd: place.folder,
      env: { PATH: process.env.PATH, HOME: place.folder },
      input: ping,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: ping, stderr: '' });
    expect(place.files()).toEqual([expect.stringMatching(/\.jsonl$/)]);
  });

  it('gives the trace of each session a new name', async () => {
    const place = new Place();
    await Promise.all([1, 2, 3].map(() => place.run(['--', ...sayingServer({})])));
    expect(place.traces()).toHaveLength(3);
  });

  it('writes the trace to the state folder of the platform by default', async () => {
    const place = new Place();
    const env = {
      MCPREEL_HOME: '',
      HOME: place.folder,
      XDG_STATE_HOME: place.path('xdg'),
      LOCALAPPDATA: place.path('xdg'),
    };
    await place.run(['--', ...sayingServer({})], { env });
    const folder = process.platform === 'darwin' ? 'Library/Application Support/mcpreel' : 'xdg/mcpreel';
    expect(place.files()).toEqual([expect.stringContaining(`${folder}/sessions/`)]);
  });

  it('writes the trace only to --trace-file, and creates its folder', async () => {
    const place = new Place();
    await place.run(['--trace-file', 'new/trace.jsonl', '--', ...echoServer], { input: ping });
    expect(place.files()).toEqual(['new/trace.jsonl']);
    expect(place.mode('new/trace.jsonl')).toBe(0o600);
    expect(parseTrace(place.read('new/trace.jsonl')).messages).toHaveLength(2);
  });

  it('never overwrites an existing trace', async () => {
    const place = new Place();
    place.write('trace.jsonl', 'precious\n');
    symlinkSync(place.path('elsewhere'), place.path('trace-2.jsonl'));
    for (const spelling of [[], ['record']]) {
      await place.run([...spelling, '--trace-file', 'trace.jsonl', '--', ...sayingServer({})]);
    }
    expect(place.read('trace.jsonl')).toBe('precious\n');
    expect(place.files()).toEqual(['trace-3.jsonl', 'trace-4.jsonl', 'trace.jsonl']);
    expect(parseTrace(place.read('trace-4.jsonl')).end).toMatchObject({ exitCode: 0 });
  });

  it('a trace that cannot be written does not keep the client from its server', async () => {
    const place = new Place();
    place.write('home', 'a file where the folder should be');
    const { code, stdout, stderr } = await place.run(['--', ...echoServer], { input: ping });
    expect({ code, stdout }).toEqual({ code: 0, stdout: ping });
    expect(stderr).toMatch(
      /^mcpreel: Recording paused: cannot write [^\n]+: part of the path is not a folder\nmcpreel: Other processes cannot watch or control this session: .*\n$/,
    );
  });

  it('writes the trace while the session is running', async () => {
    const place = new Place();
    const running = place.start(['--', ...echoServer]);
    running.write(ping);
    await running.sent('ping');
    // It is written when nothing has come for a moment.
    await vi.waitFor(() => {
      const { messages, end } = parseTrace(place.trace());
      expect(messages[0]?.payload).toEqual(JSON.parse(ping));
      expect(end).toBeUndefined();
    });
    running.end();
    await running.ended;
    expect(parseTrace(place.trace()).end).toBeDefined();
  });
});

describe('other entries in the trace', () => {
  it('records each line of stderr', async () => {
    const place = new Place();
    const err = Buffer.concat([Buffer.from('Starting…\n\nhalf a line '), Buffer.of(0xff, 0x0a), Buffer.from('no end')]);
    const { stderr } = await place.run(['--', ...sayingServer({ err })]);
    expect(stderr).toBe(err.toString());
    expect(eventsOf(parseTrace(place.trace()), 'stdio.stderr')).toEqual([
      { text: 'Starting…' },
      { text: '' },
      { base64: Buffer.concat([Buffer.from('half a line '), Buffer.of(0xff)]).toString('base64') },
      { text: 'no end' },
    ]);
  });

  it('records output that is not a message on either side, with its direction', async () => {
    const place = new Place();
    const out = Buffer.concat([
      Buffer.from('Welcome!\r\n5\n[]\n{"id":1\n'),
      Buffer.of(0xc3, 0x28, 0x0a),
      Buffer.from('"x"'),
    ]);
    await place.run(['--', process.execPath, '-e', `${EAT_INPUT}${sayInBase64(out)}`], { input: 'hello\n' });
    const noise = eventsOf(parseTrace(place.trace()), 'stdio.noise') as { dir: string }[];
    expect(noise.filter(({ dir }) => dir === 'in')).toEqual([{ dir: 'in', text: 'hello' }]);
    expect(noise.filter(({ dir }) => dir === 'out')).toEqual([
      { dir: 'out', text: 'Welcome!' },
      { dir: 'out', text: '5' },
      { dir: 'out', text: '[]' },
      { dir: 'out', text: '{"id":1' },
      { dir: 'out', base64: 'wyg=' },
      { dir: 'out', text: '"x"' },
    ]);
  });

  it('records the position of each message in a batch', async () => {
    const place = new Place();
    const out = '{"method":"a"}\n[{"jsonrpc":"2.0","id":1,"method":"b"}, {"jsonrpc":"2.0","method":"c"}]\r\n';
    await place.run(['--session-file', 'session.json', '--', ...sayingServer({ out })]);
    const { session, messages } = readSessionFile(place.path('session.json'));
    expect(messages.map(({ payload }) => payload.method)).toEqual(['a', 'b', 'c']);
    const batches = (session.messages as { batch?: unknown }[]).map(({ batch }) => batch);
    expect(batches).toEqual([undefined, { frame: 1, index: 0, of: 2 }, { frame: 1, index: 1, of: 2 }]);
  });
});

const EAT_INPUT = 'process.stdin.resume();';
const sayInBase64 = (bytes: Buffer): string =>
  `process.stdout.write(Buffer.from('${bytes.toString('base64')}', 'base64'))`;

describe('the metadata of a session', () => {
  it('the metadata contains the label, notes, folder and names of environment variables', async () => {
    const place = new Place();
    mkdirSync(place.path('work'));
    const flags = '--label my/label --meta target=example --meta notes=a=b --env TOKEN=x --env EMPTY= --cwd work'.split(
      ' ',
    );
    const { stdout } = await place.run([
      ...flags,
      '--session-file',
      'session.json',
      '--',
      process.execPath,
      '-p',
      'process.cwd()',
    ]);
    expect(stdout).toBe(`${place.path('work')}\n`);
    const { meta } = parseTrace(place.trace());
    expect(meta).toMatchObject({
      label: 'my/label',
      metadata: { target: 'example', notes: 'a=b' },
      env: ['TOKEN', 'EMPTY'],
      cwd: place.path('work'),
    });
    expect(place.traces()[0]).toContain('-my_label-');
    const { session } = readSessionFile(place.path('session.json'));
    expect(session).toMatchObject({ metadata: { target: 'example', notes: 'a=b' }, id: meta.id });
  });

  it.each([[[]], [['record']], [['proxy', 'start']]])(
    'the recording never contains the value of an environment variable (%j)',
    async (command) => {
      const place = new Place();
      const secret = 'ghp_notForTheDisk';
      const flags = ['--env', `TOKEN=${secret}`, '--session-file', 'session.json'];
      const server = [process.execPath, '-p', 'process.env.TOKEN.length'];
      const { code, stdout } = await place.run([...command, ...flags, '--', ...server]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: `${secret.length}\n` });
      expect(place.files()).toHaveLength(2);
      for (const file of place.files()) expect(place.read(file)).not.toContain(secret);
    },
  );
});

describe('the session file', () => {
  it('writes the session file when the server exits, for its owner only, with the content of the trace', async () => {
    const place = new Place();
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}\n';
    const server = [
      process.execPath,
      '-e',
      `process.stdin.once('data', () => process.stdout.write('${answer.trim()}\\n'))`,
    ];
    const running = place.start(['--session-file', 'session.json', '--', ...server]);
    running.write(ping);
    await running.sent('result');
    running.end();
    await running.ended;
    expect(place.mode('session.json')).toBe(0o600);
    const { session, messages } = readSessionFile(place.path('session.json'));
    expect(session).toMatchObject({ transport: 'stdio', server_url: null, ended_at: expect.any(String), metadata: {} });
    // The session file must not contain the path it was saved to.
    expect(place.read('session.json')).not.toContain(place.folder);
    expect(messages).toEqual(parseTrace(place.trace()).messages);
    expect(messages.map(({ answers }) => answers)).toEqual([undefined, messages[0]?.id]);
  });

  it('replaces an older session file', async () => {
    const place = new Place();
    place.write('session.json', 'old');
    await place.run(['--session-file', 'session.json', '--', ...echoServer], { input: ping });
    expect(readSessionFile(place.path('session.json')).messages).toHaveLength(2);
    expect(place.files()).toHaveLength(2);
  });

  it('writes the session file for a server that could not be started', async () => {
    const place = new Place();
    await place.run(['--session-file', 'session.json', '--', 'no-such-program']);
    expect(readSessionFile(place.path('session.json')).session).toMatchObject({
      messages: [],
      server_command: 'no-such-program',
    });
  });

  it('reports how to recover an unwritable session file, and keeps the exit code', async () => {
    const place = new Place();
    const { code, stdout, stderr } = await place.run([
      '--session-file',
      'nowhere/x.json',
      '--',
      ...sayingServer({ exit: 4 }),
    ]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    const [, id = ''] =
      /^mcpreel: Cannot write nowhere\/x\.json: no such file or folder\. Write it with: mcpreel sessions recover (\S+) -o nowhere\/x\.json\n$/.exec(
        stderr,
      ) ?? [];
    expect(place.traces()).toEqual([expect.stringContaining(`-${id}.jsonl`)]);
    expect((await place.run(['sessions', 'recover', id, '-o', 'nowhere/x.json'])).code).toBe(0);
    expect(JSON.parse(place.read('nowhere/x.json'))).toMatchObject({ id: expect.stringContaining(id) });
  });

  it('keeps the old session file if its replacement cannot be written', unless(asRoot), async () => {
    const place = new Place();
    mkdirSync(place.path('locked'));
    place.write('locked/session.json', 'precious');
    chmodSync(place.path('locked'), 0o500);
    await place.run(['--session-file', 'locked/session.json', '--', ...sayingServer({})]);
    chmodSync(place.path('locked'), 0o700);
    expect(place.read('locked/session.json')).toBe('precious');
    expect(place.files().filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
