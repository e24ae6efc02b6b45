import { describe, expect, it } from 'vitest';
import { corpusText, outline, type Reading, readAll } from '../../../test/contract/files.ts';
import { sourceOf } from '../../../test/contract/memory-source.ts';
import { ReelError } from '../../model/errors.ts';
import { entriesOf } from '../../model/session.ts';
import { sessionFile } from './session-file.ts';

const read = (file: string | Uint8Array): Promise<Reading> => readAll(sessionFile, file);
const corpus = (name: string): Promise<Reading> => read(corpusText(`session-file/${name}.json`));

const DEFAULTS = '"id":"s","started_at":"2026-03-04T10:00:00+00:00","transport":"stdio"';

/** A session file with these messages and more members. */
const fileWith = (messages: string, more = ''): string => `{${withDefaults(DEFAULTS, more)},"messages":[${messages}]}`;
const message = (main: string, more: string): string =>
  `{${withDefaults('"timestamp":"2026-03-04T10:00:00+00:00","proxy_id":"msg"', `,${main}${more}`)}}`;

/** Required members, except for those that are given. */
function withDefaults(members: string, given: string): string {
  const absent = members
    .split(/,(?=")/)
    .filter((member) => !given.includes(`,${member.slice(0, member.indexOf(':'))}:`));
  return `${absent.join(',')}${given}`.replace(/^,/, '');
}

const requested = (more = ''): string =>
  message('"direction":"client_to_server","payload":{"id":1,"method":"a"}', more);
const answered = (more = ''): string => message('"direction":"server_to_client","payload":{"id":1,"result":{}}', more);

describe('the example session files', () => {
  it('reads header, messages and footer', async () => {
    const { session, messages, problems } = await corpus('seed-example');
    expect(session).toMatchObject({
      format: 'json',
      header: {
        id: '550e8400-e29b-41d4-a716-446655440000',
        startedAtMs: Date.UTC(2026, 2, 4, 10),
        label: 'my_server',
        transport: 'stdio',
        command: ['python', '-m', 'my_server'],
        url: undefined,
        metadata: expect.stringContaining('"notes": "Captured during security audit"') as string,
      },
      footer: {
        endedAtMs: Date.UTC(2026, 2, 4, 10, 5, 30),
        exitCode: undefined,
        durationMs: 330_000,
      },
    });
    expect(messages).toMatchObject([
      { sequence: 0, proxyId: 'msg-001', atMs: Date.UTC(2026, 2, 4, 10, 0, 1), direction: 'client_to_server' },
      { sequence: 1, proxyId: 'msg-002', direction: 'server_to_client', correlatedId: 'msg-001' },
    ]);
    expect(messages[0]?.text.split('\n')[1]).toBe('        "jsonrpc": "2.0",');
    expect(problems).toEqual([]);
  });

  it('reads the methods and pairs that inspect lists', async () => {
    const { messages } = await corpus('seven-messages');
    expect(outline(messages)).toEqual([
      ...[
        '> initialize',
        '< answers 0',
        '> notifications/initialized',
        '> tools/call',
        '< answers 3',
        '> tools/call',
        '< answers 5',
      ],
    ]);
    expect(messages.map(({ correlatedId }) => correlatedId)).toEqual([
      ...[undefined, 'msg-001', undefined, undefined, 'msg-003', undefined, 'msg-005'],
    ]);
  });

  it('distinguishes a modified message from its original', async () => {
    const { messages, problems } = await corpus('modified');
    expect(messages[4]).toMatchObject({ sequence: 4, proxyId: 'msg-005', modified: true });
    expect(messages[4]?.text).toContain('MODIFIED QUERY');
    expect(messages[4]?.original).toContain('original query');
    // The example of the format has no time.
    expect(problems).toEqual(['message 4: timestamp is missing; the time before it is used']);
  });

  it.each(['bom', 'crlf'])('reads the same session from %s.json', async (name) => {
    const { session, messages, problems } = await corpus(name);
    expect(outline(messages)).toEqual(['> initialize', '< answers 0']);
    expect([session.header.id, problems]).toEqual(['550e8400-e29b-41d4-a716-446655440000', []]);
  });
});

describe('a session file', () => {
  it('accepts keys in any order and missing keys, and reports missing required keys', async () => {
    const { session, messages, problems } = await corpus('messages-first');
    expect(outline(messages)).toEqual(['> ping', '< answers 0']);
    expect(session.header).toMatchObject({
      startedAtMs: Date.UTC(2026, 2, 4, 10),
      transport: 'stdio',
      command: [],
      metadata: '{}',
    });
    expect([session.footer, problems]).toEqual([
      undefined,
      [
        'session: id is missing; another one is used',
        'message 0: timestamp is missing; the time before it is used',
        'message 1: timestamp is missing; the time before it is used',
      ],
    ]);
  });

  it('accepts a file that contains only an empty list of messages', async () => {
    expect((await read('{"messages":[]}')).entries).toEqual([]);
  });

  it('places events before the message that they reference, and the rest at the end', async () => {
    const { session, entries } = await corpus('http');
    expect(outline(entries)).toEqual(['> tools/call', 'http.exchange', '< answers 0', 'stdio.stderr']);
    expect(session.header).toMatchObject({ url: 'https://example.com/mcp', label: 'example.com', command: [] });
    expect(entries[2]).toMatchObject({
      http: expect.stringContaining('1') as string,
      sse: expect.stringContaining('evt-10') as string,
    });
  });

  it('closes its source if the reader stops early', async () => {
    const source = sourceOf(fileWith([requested(), answered()].join(), ',"events":[{"before":9,"kind":"x","raw":1}]'));
    let open = 0;
    async function* counted(start: number, end: number): AsyncGenerator<Uint8Array> {
      open++;
      try {
        yield* source.read(start, end);
      } finally {
        open--;
      }
    }
    const session = await sessionFile.read({ ...source, read: counted }, { onProblem: () => undefined });
    for await (const entry of entriesOf(session)) if (entry.kind === 'message') break;
    expect(open).toBe(0);
  });

  it('sets the conversation of an event, and keeps a value that is not a number as an unknown field', async () => {
    const item = (conversation: string): string => `{"before":0,"kind":"x","raw":1,"conversation":${conversation}}`;
    const { entries } = await read(fileWith('', `,"events":[${item('2')},${item('1.5')}]`));
    expect(entries.map((entry) => entry.kind === 'event' && [entry.conversation, entry.keepsakes?.session])).toEqual([
      [2, undefined],
      [undefined, '{"conversation":1.5}'],
    ]);
  });

  it('keeps members that were added by hand', async () => {
    const { session, messages } = await corpus('by-hand');
    expect(session.header.command).toEqual(['/opt/my tools/server', '--name', 'its', '--path=$HOME dir']);
    expect(session.header.keepsakes?.session).toContain('"constructor":"kept too"');
    expect(messages.map(({ keepsakes }) => keepsakes?.session)).toEqual([
      '{"timestamp":"2026-03-04T11:00:01.5+01:00","tags":["a", 1.0],"reviewed_by":null}',
      '{"timestamp":"2026-03-04T10:00:01.500999Z","transport":"sse","correlated_id":null,"latency_ms":1e1}',
      '{"timestamp":"2026-03-04 10:00:02","__proto__":{"polluted": true}}',
    ]);
    expect(messages[2]?.text).toContain('{"b":1.0,"a":"\\u00e9","__proto__":{"y":1e400}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('pairs messages by their correlated_id, and by JSON-RPC id if there is none', async () => {
    const { messages } = await read(
      fileWith(
        [
          requested(',"proxy_id":"a"'),
          requested(',"proxy_id":"b"'),
          answered(',"correlated_id":"b"'),
          answered(),
        ].join(),
      ),
    );
    expect(messages.map(({ correlatedId }) => correlatedId)).toEqual([undefined, undefined, 'b', 'b']);
    const silent = await read(
      fileWith([requested(',"proxy_id":"a"'), answered(',"correlated_id":null'), answered()].join()),
    );
    expect(silent.messages.map(({ correlatedId }) => correlatedId)).toEqual([undefined, 'a', undefined]);
  });

  it('uses the previous time for a message without one', async () => {
    const { messages } = await read(
      fileWith([requested(), requested(',"timestamp":"2026-03-04T10:00:05Z"'), requested(',"timestamp":null')].join()),
    );
    expect(messages.map(({ atMs }) => atMs - Date.UTC(2026, 2, 4, 10))).toEqual([0, 5000, 5000]);
  });
});

describe('an invalid message', () => {
  it('skips and reports an invalid message with its index, without a gap in the numbering', async () => {
    const { messages, problems } = await corpus('bad-messages');
    expect(problems).toEqual([
      'message 7: direction "up" is not client_to_server or server_to_client',
      'message 8: payload is not an object',
      'message 9: not valid JSON',
      'message 10: payload is missing',
      'message 11: direction is missing',
    ]);
    expect(messages.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(messages[7]?.proxyId).toBe('msg-013');
  });

  it.each([
    ['7', 'not an object'],
    ['[]', 'not an object'],
    ['{"direction":"client_to_server","payload":[]}', 'payload is not an object'],
    ['{"direction":7,"payload":{}}', 'direction 7 is not client_to_server or server_to_client'],
    ['{"a":tru}', 'not valid JSON'],
  ])('reports %s as %s', async (bad, sent) => {
    const { messages, problems } = await read(fileWith(`${requested()},${bad},${requested()}`));
    expect([messages.length, problems]).toEqual([2, [`message 1: ${sent}`]]);
  });

  it('reports the byte offset of a message that is not UTF-8', async () => {
    const text = fileWith(`${requested()},${requested(',"x":"?"')}`);
    const at = text.indexOf('?');
    const { messages, problems } = await read(
      new TextEncoder().encode(text).map((byte, index) => (index === at ? 0xff : byte)),
    );
    expect([messages.length, problems]).toEqual([1, [`message 1: not UTF-8 at byte ${at}`]]);
  });

  it('stops reading if the problem listener throws', async () => {
    const session = await sessionFile.read(sourceOf(fileWith(`7,${requested()}`)), {
      onProblem: ({ what }) => {
        throw new ReelError('session-invalid', what);
      },
    });
    await expect(session.batches()[Symbol.asyncIterator]().next()).rejects.toThrow('not an object');
  });
});

describe('a field of the wrong type', () => {
  it.each([
    ['"id":7', 'id must be a string, found 7; another one is used'],
    ['"started_at":"soon"', 'started_at must be a time, found "soon"; the start is unknown'],
    ['"ended_at":5', 'ended_at must be a time, found 5; the end is unknown'],
    ['"transport":null', 'transport is missing; stdio is assumed'],
    ['"server_command":["x"]', 'server_command must be a string, found ["x"]; it is not used'],
    ['"server_url":{}', 'server_url must be a string, found {}; it is not used'],
    ['"metadata":"x"', 'metadata must be an object, found "x"; it is not used'],
  ])('reports the invalid field %s of a session', async (member, what) => {
    const { entries, problems } = await read(`{${withDefaults(DEFAULTS, `,${member}`)},"messages":[${requested()}]}`);
    expect([entries.length, problems]).toEqual([1, [`session: ${what}`]]);
  });

  it.each([
    ['"timestamp":1772618400000', 'timestamp must be a time, found 1772618400000; the time before it is used'],
    ['"timestamp":null', 'timestamp is missing; the time before it is used'],
    ['"proxy_id":5', 'proxy_id must be a string, found 5; another one is used'],
    ['"sequence":"0"', 'sequence must be a number, found "0"; its place in the array is used'],
    ['"modified":"yes"', 'modified must be true or false, found "yes"; it counts as not modified'],
    ['"correlated_id":3', 'correlated_id must be a string, found 3; it is paired by id'],
    ['"jsonrpc_id":[1]', 'jsonrpc_id must be a string or a number, found [1]; the id of the payload is used'],
    ['"method":{}', 'method must be a string, found {}; the method of the payload is used'],
    ['"transport":false', 'transport must be a string, found false; that of the session is used'],
    ['"modified":true,"original_payload":"x"', 'original_payload must be an object, found "x"; it is kept as it is'],
  ])('reports the invalid field %s of a message', async (member, what) => {
    const { entries, problems } = await read(fileWith(requested(`,${member}`)));
    expect([entries.length, problems]).toEqual([1, [`message 0: ${what}`]]);
  });
});

it('reports messages and events that are an object instead of an array', async () => {
  const { problems } = await read(`{${DEFAULTS},"messages":{},"events":{}}`);
  expect(problems).toEqual([
    'messages: must be an array, found an object',
    'events: must be an array, found an object',
  ]);
});

describe('a damaged session file', () => {
  it('reads a truncated file up to the cut', async () => {
    const torn = await corpus('torn');
    expect(outline(torn.messages)).toEqual(['> initialize']);
    expect(torn.problems).toEqual(['session: cut off before its end; the rest is not read']);
    const later = await corpus('torn-after-messages');
    expect(outline(later.messages)).toEqual(['> initialize', '< answers 0']);
    expect(later.problems).toEqual(torn.problems);
  });

  it('reports which parts of the file cannot be read', async () => {
    const text = fileWith(requested(), ',"metadata":{"a":01},"transport":nul,"events":"none"');
    expect((await read(text)).problems).toEqual([
      'session: "metadata" is not valid JSON; left out',
      'session: "transport" is not valid JSON; left out',
      `events: expected an object or an array at byte ${text.indexOf('"none"')}; the rest is skipped`,
    ]);
    expect((await read(`${fileWith(requested())} x`)).problems).toHaveLength(1);
    expect((await read('{"messages":null}')).problems).toEqual([
      'session: id is missing; another one is used',
      'messages: expected an object or an array at byte 12; the rest is skipped',
    ]);
    expect((await read('{"messages":[],"events":[{"kind":"a"},{"before":0}]}')).problems).toEqual([
      'session: id is missing; another one is used',
      'event 0: "before" is missing',
      'event 1: "kind" or "raw" is missing',
    ]);
  });

  it.each([
    ['[]', 'memory is not a session file: no object, and no "messages"'],
    ['{}', 'memory is not a session file: an object with no keys, and no "messages"'],
    ['{"a":1}', 'memory is not a session file: an object with the key "a", and no "messages"'],
    [
      '{"a":1,"b":2',
      'memory is not a session file: an object with the keys "a", "b", and no "messages" (cut off before its end)',
    ],
    ['hello', 'memory is not a session file: no object, and no "messages" (expected an object or an array at byte 0)'],
    ['', 'memory is not a session file: no object, and no "messages" (cut off before its end)'],
  ])('rejects input that is not a session file: %s', async (text, sent) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReelError);
    expect(error).toMatchObject({ code: 'session-unreadable', message: sent });
  });
});
