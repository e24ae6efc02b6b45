import { expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';

const CHALLENGE =
  'Bearer resource_metadata=\\"https://mcp.example/.well-known/oauth-protected-resource\\", scope=\\"a\\"';
const REQUEST = '{"timestamp_ms":1000,"request":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}}';
const context = (headers: string): string => `"transport_context":{"status":401,"headers":${headers}}`;
const transcript = (answer: string): string =>
  `{"transport":"streamable-http","entries":[${REQUEST},{"timestamp_ms":1001,${answer}}]}`;
const line = (members: string): string => `{"t":"2026-03-04T10:00:00.100Z",${members}}\n`;
const exchange = `{"exchange":0,"method":"POST","path":"/mcp","status":401,"requestHeaders":[],"responseHeaders":[["WWW-Authenticate","${CHALLENGE}"]],"error":null}`;

/** Sessions with a 401 response, from different sources. */
const SESSIONS = {
  'a transcript': transcript(
    `${context(`{"WWW-Authenticate":"${CHALLENGE}"}`)},"response":{"jsonrpc":"2.0","id":1,"error":{"code":401,"message":"x"}}`,
  ),
  'a transcript with several challenges': transcript(
    `${context(`{"www-authenticate":["Basic realm=\\"x\\"","${CHALLENGE}"]}`)},"response":{"jsonrpc":"2.0","id":1,"result":{}}`,
  ),
  'a transcript without a body': transcript(`${context(`{"WWW-Authenticate":"${CHALLENGE}"}`)},"response":null`),
  'a recording of HTTP':
    '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":["http://x/mcp"],"url":"http://x/mcp","transport":"streamable-http"}\n' +
    line('"dir":"in","http":{"exchange":0},"raw":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}') +
    line(`"type":"event","dir":"event","kind":"http.exchange","raw":${exchange}`) +
    line('"type":"end","exitCode":0,"durationMs":100'),
} as const;

const PLACES = ['json', 'trace', 'har', 'streamable-http', 'http-sse'] as const;
const PAIRS = Object.keys(SESSIONS).flatMap((name) => PLACES.map((format) => [name, format] as const));

it.each(PAIRS)('keeps a 401 challenge of %s when it is exported as %s', async (name, format) => {
  const place = new CommandPlace();
  place.write('in', SESSIONS[name as keyof typeof SESSIONS]);
  expect(await place.run(['export', 'in', '-f', format, '-o', 'out'])).toMatchObject({ code: 0 });
  expect(await place.run(['import', 'out', '--out-trace', 'normal'])).toMatchObject({ code: 0 });
  expect(JSON.parse(place.read('normal').split('\n')[0] ?? '')).toHaveProperty('meta.mcp.authorization_discovery', {
    visible: true,
    source_kind: 'www_authenticate',
    resource_metadata_visible: true,
    authorization_servers_visible: false,
    scope_challenge_visible: true,
  });
});

it.each(['inspector', 'jsonrpc'])('reports that %s has no HTTP statuses and headers', async (format) => {
  const place = new CommandPlace();
  place.write('in', SESSIONS['a transcript']);
  const { stderr } = await place.run(['export', 'in', '-f', format, '-o', 'out']);
  expect(stderr).toContain('HTTP statuses and headers');
});

it('a HAR shows the status and the headers of a transcript, and returns all of it', async () => {
  const place = new CommandPlace();
  place.write('in', SESSIONS['a transcript']);
  await place.run(['export', 'in', '-f', 'har', '-o', 'out.har']);
  const har = JSON.parse(place.read('out.har')) as { log: { entries: { response: unknown }[] } };
  expect(har.log.entries[0]?.response).toMatchObject({
    status: 401,
    headers: [{ name: 'WWW-Authenticate', value: expect.stringContaining('resource_metadata=') }],
  });
  await place.run(['export', 'in', '-f', 'streamable-http', '-o', 'direct']);
  await place.run(['export', 'out.har', '-f', 'streamable-http', '-o', 'again']);
  const entriesOf = (file: string): unknown => (JSON.parse(place.read(file)) as { entries: unknown }).entries;
  expect(entriesOf('again')).toEqual(entriesOf('direct'));
});
