import { expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { parseTrace } from '../support/recordings.ts';

it('demo records a real conversation, reports where, prints it and exits', async () => {
  const place = new Place();
  const { code, stdout, stderr } = await place.run(['demo']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const [name = ''] = place.traces();
  const [, path] = /^Recorded a demo session to (.*)\n\n/.exec(stdout) ?? [];
  expect(path).toBe(place.path(name));
  const [, listing = ''] = stdout.split(/^Server: demo-[0-9a-f]{6}\n\n/m);
  expect(listing.split('\n\nPrint')[0]?.replaceAll(/ +\d+ ms/g, ' N ms')).toBe(
    `  #000 > initialize               ok N ms
  #003 > tools/list               ok N ms
  #005 > tools/call get_weather   ok N ms
  #007 > tools/call get_forecast  ok N ms  1× progress
  #010 > tools/call get_alerts    error N ms  There is no weather station in "Atlantis"

5 calls, 1 error`,
  );
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
  expect(seen.stdout).toContain('"text": "Forecast for 24 days: rain"');
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
  expect(stderr).toMatch(/(^|\n)Error: Cannot use the state folder [^\n]+\n$/);
});
