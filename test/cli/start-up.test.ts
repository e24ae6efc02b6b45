import { expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { sayingServer } from '../support/servers.ts';

/** The code files that a run of mcpreel loads, from Node's coverage report. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
  const place = new Place();
  await place.run(args, { env: { NODE_V8_COVERAGE: place.path('coverage') } });
  const [report = '', ...others] = place.files().filter((name) => name.startsWith('coverage/'));
  expect(others, 'reports of other processes').toEqual([]);
  const { result } = JSON.parse(place.read(report)) as { result: { url: string }[] };
  return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
}

// The server must not write a coverage report.
const wrapping = ['--env', 'NODE_V8_COVERAGE=', '--', ...sayingServer({})];

it('wrapping a server does not load the command-line library', async () => {
  const loaded = await loadedBy(wrapping);
  expect(loaded).toContainEqual(expect.stringMatching(/\/dist\/mcpreel\.cjs$/));
  expect(loaded).toContainEqual(expect.stringMatching(/wrapper/));
  // Node takes longer to find and open a file than to compile what is in it.
  expect(loaded.length).toBeLessThan(20);
  expect(loaded.filter((url) => !url.includes('/dist/'))).toEqual([]);
  expect(loaded.filter((url) => /commander|program|demo/.test(url))).toEqual([]);
});

it('a named command loads the command-line library', async () => {
  expect(await loadedBy(['record', ...wrapping])).toContainEqual(expect.stringMatching(/\/program\.js$/));
});

it('inspecting a session does not load the demo or the SDK', async () => {
  const loaded = await loadedBy(['inspect', 'nothing.json']);
  expect(loaded.filter((url) => /demo-client|@modelcontextprotocol/.test(url))).toEqual([]);
});
