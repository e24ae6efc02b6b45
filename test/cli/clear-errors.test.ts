import { describe, expect, it } from 'vitest';
import { ClientHome } from '../support/client-home.ts';
import { commandLines } from '../support/command-lines.ts';
import { CommandPlace } from '../support/command-place.ts';
import { sessionText } from '../support/session-texts.ts';
import { traceText } from '../support/trace-texts.ts';

const ID = '77cbcb4a-0000-4000-8000-000000000000';

function withTrace(): CommandPlace {
  const place = new CommandPlace();
  place.write('home/sessions/2026-03-04T10-00-00-000Z-fs-77cbcb4a.jsonl', traceText({ id: ID, label: 'fs' }));
  return place;
}

describe('errors', () => {
  it.each(commandLines([['inspect'], ['sessions', 'show']]))(
    '$line says how many characters of a session id it needs',
    async ({ args }) => {
      const place = withTrace();
      expect(await place.run([...args, '77c'])).toMatchObject({
        code: 1,
        stderr:
          'Error: 77c is too short. Pass at least the first 4 characters of the session id. List sessions: mcpreel sessions\n',
      });
      expect(await place.run([...args, '77cb'])).toMatchObject({ code: 0 });
    },
  );

  it.each(commandLines([['sessions'], ['sessions', 'show', '77cb'], ['inspect', '77cb']]))(
    'a state folder that is a file is named: $line',
    async ({ args }) => {
      const place = new CommandPlace();
      place.write('file', '');
      expect(await place.run(args, { env: { MCPREEL_HOME: place.path('file') } })).toMatchObject({
        code: 1,
        stderr: `Error: Cannot use the state folder ${place.path('file')}: it is not a folder. Check its permissions, or set MCPREEL_HOME to a folder of yours.\n`,
      });
    },
  );

  it('replay suggests the recorded server if none is given', async () => {
    const place = new CommandPlace();
    place.write('session.json', sessionText([{ payload: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }]));
    const { code, stderr } = await place.run(['replay', 'session.json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: No server given\. Try: mcpreel replay session\.json -- .+ \(as recorded\)\n$/);
  });

  it('a missing working folder is not taken for a missing command', async () => {
    const place = new CommandPlace();
    const missing = place.path('missing');
    const { code, stderr } = await place.run(['--cwd', missing, '--', process.execPath]);
    expect(code).toBe(127);
    expect(stderr).toContain(`Error: Cannot start "${process.execPath}": no such working folder: ${missing}\n`);
  });

  it('install leaves an entry alone whose command is a whole command line', async () => {
    const text = '{"mcpServers":{"a":{"command":"npx -y server"},"b":{"command":"/opt/my tools/b"}}}';
    const home = new ClientHome({ '.cursor/mcp.json': text });
    const { stdout } = await home.run('install', '--yes');
    expect(stdout).toContain('"command" contains arguments. Put the program in "command" and the rest in "args"');
    const { a, b } = JSON.parse(home.read('.cursor/mcp.json')).mcpServers;
    expect(a).toEqual({ command: 'npx -y server' });
    expect(b.args.at(-1)).toBe('/opt/my tools/b');
  });

  it('a baseline is not written into a folder that does not exist, and the hint names the file', async () => {
    const place = new CommandPlace();
    place.write(
      'session.json',
      sessionText([
        { payload: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
        { from: '<', payload: '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}' },
      ]),
    );
    const accept = ['baseline', 'accept', 'session.json', '--baseline', 'none/b.json'];
    expect(await place.run(accept)).toMatchObject({ code: 1, stderr: expect.stringContaining('none/b.json') });
    expect(await place.run(['check', 'session.json', '--baseline', 'nope.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('mcpreel baseline accept session.json --baseline nope.json'),
    });
  });
});
