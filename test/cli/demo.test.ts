import { expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { parseTrace } from '../support/recordings.ts';

it('demo records a real conversation, reports where, prints it and exits', async () => {
  const place = new Place();
  const { code, stdout, stderr } = await place.run(['demo']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const [name = ''] = place.traces();
  const [, path] = /^Recorded a real MCP session to (.*)\n\n/.exec(stdout) ?? [];
  expect(path).toBe(place.path(name));
  const lines = stdout.split('\n');
  expect(lines.slice(3, 7)).toEqual([
    'Transport: stdio',
    expect.stringMatching(/^Server command: .*demo-server\.js$/),
    'Messages: 12',
    '',
  ]);
  const listing = lines.filter((line) => /^ {2}#\d{3} /.test(line)).map((line) => line.slice('  #000 '.length));
  expect(listing.map((line) => line.replace(/ (id|corr)=.*/, ''))).toEqual([
    '> initialize',
    '< (response)',
    '> notifications/initialized',
    '> tools/list',
    '< (response)',
    '> tools/call',
    '< (response)',
    '> tools/call',
    '< notifications/progress',
    '< (response)',
    '> tools/call',
    '< (response)',
  ]);
  const failed = parseTrace(place.trace()).messages.filter(({ payload }) =>
    JSON.stringify(payload).includes('"isError":true'),
  );
  expect(failed).toHaveLength(1);
});

it('demo prints a session name that inspect finds', async () => {
  const place = new Place();
  const { stdout } = await place.run(['demo']);
  const [, name = ''] = /mcpreel\.cjs inspect -v (\S+)\n$/.exec(stdout) ?? [];
  const seen = await place.run(['inspect', '-v', name]);
  expect(seen).toMatchObject({ code: 0, stderr: '' });
  expect(seen.stdout).toContain('"text": "24 frames developed."');
  expect(seen.stdout).toContain(stdout.split('\n').find((line) => line.startsWith('Session: ')));
});

it('demo shows its own session when several run at once', async () => {
  const place = new Place();
  const outcomes = await Promise.all([place.run(['demo']), place.run(['demo'])]);
  const paths = outcomes.map(({ stdout }) => /^Recorded .* to (.*)\n/.exec(stdout)?.[1]);
  expect(paths.sort()).toEqual(
    place
      .traces()
      .map((name) => place.path(name))
      .sort(),
  );
});

it('demo fails if it cannot record', async () => {
  const place = new Place();
  place.write('home', 'a file where the folder should be');
  const { code, stdout, stderr } = await place.run(['demo']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/(^|\n)Error: Nothing was recorded in [^\n]+\n$/);
});
