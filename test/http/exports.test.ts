import { expect, it } from 'vitest';
import { harFaults } from '../contract/har-schema.ts';
import { CommandPlace } from '../support/command-place.ts';
import { startProxy } from '../support/http-proxy.ts';
import { startEverything } from '../support/http-servers.ts';
import { meaning } from '../support/meaning.ts';
import { notingFetch } from '../support/noting-fetch.ts';
import { connectV1, connectV2 } from '../support/sdk-clients.ts';
import { converse } from './rich-talk.ts';

it.each([
  ['streamable-http', 'streamable-http', connectV1],
  ['sse', 'http-sse', connectV2],
] as const)('a session recorded over %s has the same meaning as a transcript of its transport', async (...row) => {
  const [transport, format, connect] = row;
  const place = new CommandPlace();
  const proxy = await startProxy(place, ['--transport', transport, '--target-url', await startEverything(transport)]);
  const { fetch, answered } = notingFetch();
  const connected = await connect({ url: proxy.url, transport, fetch, resumes: false });
  await answered('GET');
  await converse(connected);
  await connected.leave();
  await proxy.stop();

  const exported = await place.run(['export', 'trace.jsonl', '-f', format, '-o', 'transcript.json']);
  expect(exported).toMatchObject({ code: 0 });
  const recorded = await meaning(place, 'trace.jsonl');
  const calls = recorded.filter(({ type }) => type === 'tool_call');
  expect(calls.map(({ error }) => error)).toContain('timeout/no_response');
  expect(calls.length).toBeGreaterThan(10);
  expect(await meaning(place, 'transcript.json', '--format', format)).toEqual(recorded);

  const archived = await place.run(['export', 'trace.jsonl', '-f', 'har', '-o', 'x.har']);
  expect(archived).toMatchObject({ code: 0 });
  expect(harFaults(JSON.parse(place.read('x.har')))).toEqual([]);
  await place.run(['import', 'x.har', '--to', 'trace', '-o', 'archived.jsonl']);
  // An archive lists exchanges in the order in which they ended.
  expect(textsIn(place.read('archived.jsonl')).sort()).toEqual(textsIn(place.read('trace.jsonl')).sort());

  const imported = await place.run(['import', 'transcript.json', '--to', 'trace', '-o', 'again.jsonl']);
  expect(imported).toMatchObject({ code: 0 });
  expect(textsIn(place.read('again.jsonl'))).toEqual(textsIn(place.read('trace.jsonl')));
});

/** The exact texts of a trace's messages, each with its direction. */
function textsIn(trace: string): string[] {
  return trace
    .split('\n')
    .filter((line) => line.includes('"dir":"in"') || line.includes('"dir":"out"'))
    .map((line) => `${/"dir":"(\w+)"/.exec(line)?.[1]} ${line.slice(line.indexOf('"raw":'))}`);
}
