import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { parseTrace } from '../support/recordings.ts';
import { sayingServer } from '../support/servers.ts';

/** Both forms of a recording: what a client runs, and the command. */
const VALUES: Readonly<Record<string, string>> = {
  '--label': 'name',
  '--trace-file': 'file',
  '--env': 'key=value',
  '--session-file': 'file',
};
const FORMS = [[], ['record'], ['proxy', 'start']];

describe('a value that looks like a flag', () => {
  it.each(
    FORMS.flatMap((form) =>
      [
        ['--label', '--trace-file', 'x.jsonl'],
        ['--label', '-x'],
        ['--trace-file', '--label', 'x'],
        ['--env', '--label', 'x'],
        ['--session-file', '--headless'],
        ['--label'],
      ].map((flags) => [form, flags] as const),
    ),
  )('is an error and never a server to run: %j %j', async (form, flags) => {
    const place = new CommandPlace();
    const { code, stdout, stderr } = await place.run([...form, ...flags, '--', 'node', '-e', '']);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: Option '${flags[0]} <${VALUES[flags[0] ?? '']}>' argument missing. See mcpreel record --help.\n`,
    });
    expect(place.files()).toEqual([]);
  });

  it.each(['replay', 'mock'])('is an error for the server of %s', async (command) => {
    const place = new CommandPlace();
    const { code, stderr } = await place.run([command, 'x.json', '--target-command', '--target-url', 'http://x/']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "Error: Option '--target-command <command>' argument missing. See mcpreel record --help.\n",
    });
  });

  it.each(FORMS)('is a value after an equals sign: %s %s', async (...form) => {
    const place = new CommandPlace();
    const { code } = await place.runBuilt([...form, '--label=--weird', '--', ...sayingServer({})]);
    expect(code).toBe(0);
    expect(parseTrace(place.trace()).meta).toMatchObject({ label: '--weird', cwd: place.folder });
  });
});
