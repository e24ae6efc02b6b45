import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines } from '../support/recordings.ts';
import { sessionText } from '../support/session-texts.ts';

interface Tool {
  readonly name: string;
  readonly inputSchema: object;
  readonly description?: string;
}

const READ: Tool = { name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } };
const WRITE: Tool = { name: 'write', inputSchema: { type: 'object' } };
const READ_URI: Tool = { name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'number' } } } };

/** A session in which the server `my_server` listed these tools. */
function listing(...tools: readonly Tool[]): string {
  return sessionText([
    { payload: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
    { from: '<', payload: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } }) },
  ]);
}

/** A place with a baseline that accepts these tools. */
async function accepting(...tools: readonly Tool[]): Promise<CommandPlace> {
  const place = new CommandPlace();
  place.write('first.json', listing(...tools));
  expect(await place.run(['baseline', 'accept', 'first.json'])).toMatchObject({ code: 0, stderr: '' });
  return place;
}

describe('baseline accept', () => {
  it('stores the tools in the state folder, readable only by the owner', async () => {
    const place = await accepting(READ);
    expect(place.mode('home/baseline.json')).toBe(0o600);
    expect(place.mode('home')).toBe(0o700);
    expect(JSON.parse(place.read('home/baseline.json'))).toEqual({
      mcpreelBaseline: 1,
      servers: {
        my_server: {
          session: '550e8400-e29b-41d4-a716-446655440000',
          recordedAt: '2026-03-04T10:00:00+00:00',
          tools: { read: READ },
        },
      },
    });
  });

  it('reports what it changes', async () => {
    const place = await accepting(READ, WRITE);
    place.write('next.json', listing(READ_URI, { name: 'move', inputSchema: {} }));
    const { stdout } = await place.run(['baseline', 'accept', 'next.json']);
    expect(stdout).toBe(`Accepted 2 tools of "my_server" into ${place.path('home/baseline.json')}
  added move
  changed read: inputSchema.properties.path.type
  removed write
`);
  });

  it('separates servers by the name given', async () => {
    const place = await accepting(READ);
    const { stdout } = await place.run(['baseline', 'accept', 'first.json', '--server', 'other', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      server: 'other',
      baseline: place.path('home/baseline.json'),
      tools: 1,
      changes: [{ tool: 'read', kind: 'added', paths: [] }],
    });
    expect((await place.run(['baseline', 'show'])).stdout).toContain('my_server: 1 tool, ');
  });

  it.each([
    ['a session without a listing', '{"tools":"none"}', 'Record a session in which the client sends tools/list.'],
    [
      'half a listing',
      '{"tools":[],"nextCursor":"2"}',
      'Record a session in which the client requests every page of tools/list.',
    ],
  ])('refuses %s and changes nothing', async (_, result, hint) => {
    const place = new CommandPlace();
    const payload = `{"jsonrpc":"2.0","id":1,"result":${result}}`;
    place.write(
      's.json',
      sessionText([{ payload: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }, { from: '<', payload }]),
    );
    const { code, stderr } = await place.run(['baseline', 'accept', 's.json', '--baseline', 'b.json']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Error: This session has no complete list of the server’s tools. ${hint}\n`,
    });
    expect(place.files()).toEqual(['s.json']);
  });

  it('does not overwrite a file that is not a baseline', async () => {
    const place = new CommandPlace();
    place.write('s.json', listing(READ));
    expect((await place.run(['baseline', 'accept', 's.json', '--baseline', 's.json'])).code).toBe(1);
    expect(place.read('s.json')).toBe(listing(READ));
  });
});

describe('baseline show and reset', () => {
  it('shows the accepted tools, and their definitions as JSON', async () => {
    const place = await accepting(READ, WRITE);
    const { stdout } = await place.run(['baseline', 'show', 'my_server']);
    expect(stdout).toBe(
      'my_server: 2 tools, from session 550e8400-e29b-41d4-a716-446655440000, recorded 2026-03-04T10:00:00+00:00\n  read\n  write\n',
    );
    expect(jsonLines((await place.run(['baseline', 'show', '--json'])).stdout)).toEqual([
      { server: 'my_server', tool: 'read', definition: READ },
      { server: 'my_server', tool: 'write', definition: WRITE },
      {
        summary: {
          baseline: place.path('home/baseline.json'),
          servers: [
            {
              server: 'my_server',
              session: '550e8400-e29b-41d4-a716-446655440000',
              recorded_at: '2026-03-04T10:00:00+00:00',
              tools: 2,
            },
          ],
        },
      },
    ]);
  });

  it('resets one server, or all of them with --all', async () => {
    const place = await accepting(READ);
    await place.run(['baseline', 'accept', 'first.json', '--server', 'other']);
    expect((await place.run(['baseline', 'reset'])).code).toBe(2);
    expect((await place.run(['baseline', 'reset', 'typo'])).stderr).toMatch(
      /No server typo.*Known servers: my_server, other\./,
    );
    expect((await place.run(['baseline', 'reset', 'other'])).stdout).toBe('Removed the tools of "other"\n');
    expect(Object.keys((JSON.parse(place.read('home/baseline.json')) as { servers: object }).servers)).toEqual([
      'my_server',
    ]);
    const { stdout } = await place.run(['baseline', 'reset', '--all', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ reset: ['my_server'] });
  });

  it('reports that the baseline is empty after a reset', async () => {
    const place = await accepting(READ);
    await place.run(['baseline', 'reset', '--all']);
    const path = place.path('home/baseline.json');
    expect(await place.run(['baseline', 'show'])).toMatchObject({ code: 0, stdout: '', stderr: `${path} is empty\n` });
    const again = await place.run(['baseline', 'reset', '--all']);
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: `No baseline to reset in ${path}\n` });
  });

  it('reports that there is no baseline', async () => {
    const { code, stderr } = await new CommandPlace().run(['baseline', 'show', '--baseline', 'none.json']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'Error: No baseline in none.json. Create one: mcpreel baseline accept session.json --baseline none.json\n',
    });
  });
});

describe('check with a baseline', () => {
  it('reports new, removed and changed tools, and what changed in them', async () => {
    const place = await accepting(READ, WRITE);
    place.write('next.json', listing(READ_URI, { name: 'move', inputSchema: {} }));
    const { code, stdout } = await place.run(['check', 'next.json']);
    expect(code).toBe(3);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^next\.json: #000, #001: baseline-drift: The tool move is not in the baseline/),
      expect.stringMatching(/^next\.json: #000, #001: baseline-drift: .*read .*inputSchema\.properties\.path\.type/),
      expect.stringMatching(
        /^next\.json: #000, #001: baseline-drift: The tool write is in the baseline, but the server no longer has it/,
      ),
      '',
    ]);
    expect((await place.run(['check', 'next.json', '--no-baseline'])).code).toBe(0);
    expect((await place.run(['check', 'first.json'])).code).toBe(0);
  });

  it('compares with the named file, even if other checks are requested', async () => {
    const place = new CommandPlace();
    place.write('first.json', listing(READ));
    place.write('next.json', listing(READ_URI));
    await place.run(['baseline', 'accept', 'first.json', '--baseline', 'tools.json']);
    const args = ['check', 'next.json', '--baseline', 'tools.json', '--fail-on', 'pending'];
    expect(await place.run(args)).toMatchObject({ code: 3, stderr: '1 finding in 1 session: 1 drift\n' });
  });

  it('requires a named file to exist, and reports servers that are not in it', async () => {
    const place = await accepting(READ);
    const missing = await place.run(['check', 'first.json', '--baseline', 'none.json']);
    expect({ code: missing.code, stderr: missing.stderr }).toEqual({
      code: 1,
      stderr:
        'Error: No baseline in none.json. Create one: mcpreel baseline accept session.json --baseline none.json\n',
    });
    await place.run(['baseline', 'accept', 'first.json', '--server', 'other', '--baseline', 'tools.json']);
    const { code, stderr } = await place.run(['check', 'first.json', '--baseline', 'tools.json']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'Tools of my_server not compared: not in tools.json. Add them: mcpreel baseline accept\nNo findings in 1 session\n',
    });
  });
});
