import fc from 'fast-check';
import type { JsonText } from '../../src/model/entry.ts';
import { anyString, jsonLine, objectLine } from './random-sessions.ts';

/** Files as other tools and users write them: with missing keys, unknown keys and values of wrong types. */

const quote = (text: string): JsonText => JSON.stringify(text);

const times = fc.constantFrom(
  ...[
    '2026-03-04T10:00:01+00:00',
    '2026-03-04T10:00:01Z',
    '2026-03-04T10:00:01.123456+00:00',
    '2026-03-04T12:00:01+02:00',
  ],
  ...[
    '2026-03-04T10:00:01.120Z',
    '2026-03-04 10:00:01',
    '2026-02-30T24:00:00.000Z',
    'soon',
    '',
    '0000-01-01T00:00:00+05:00',
  ],
);

/** Usually a valid value, sometimes any. */
const mostly = (fits: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> =>
  fc.oneof(
    { weight: 5, arbitrary: fits },
    { weight: 1, arbitrary: jsonLine },
    { weight: 1, arbitrary: fc.constant('null') },
  );

/** Usually an object with these members, sometimes another value. */
const mostlyObject = (members: Readonly<Record<string, fc.Arbitrary<JsonText>>>): fc.Arbitrary<JsonText> =>
  fc.oneof(
    { weight: 5, arbitrary: objectWith(members) },
    { weight: 1, arbitrary: jsonLine.filter((text) => !text.startsWith('{')) },
    { weight: 1, arbitrary: fc.constant('{}') },
  );

/** An object with some of these members and some unknown ones, in any order. */
function objectWith(
  known: Readonly<Record<string, fc.Arbitrary<JsonText>>>,
  required: readonly string[] = [],
): fc.Arbitrary<JsonText> {
  const members = fc.tuple(
    ...Object.entries(known).map(([key, value]) => {
      const member = value.map((text) => `${quote(key)}: ${text}`);
      return required.includes(key) ? member : fc.option(member, { nil: undefined });
    }),
  );
  const unknown = fc.uniqueArray(fc.tuple(anyString, jsonLine), { selector: ([key]) => key, maxLength: 2 });
  return fc.tuple(members, unknown, fc.nat()).map(([own, others, turn]) => {
    const all = [
      ...own.filter((member) => member !== undefined),
      ...others.map(([key, value]) => `${quote(`x${key}`)}:${value}`),
    ];
    const first = turn % (all.length + 1);
    return `{${[...all.slice(first), ...all.slice(0, first)].join(',')}}`;
  });
}

const strings = anyString.map(quote);
const timeText = mostly(times.map(quote));
const flag = mostly(fc.constantFrom('true', 'false'));
const message = fc.oneof(
  fc.constantFrom('{"id":1,"method":"a"}', '{"id":1,"result":{}}', '{"id":"1","error":{}}', '{"method":"n"}'),
  objectLine,
);
const conversations = mostly(fc.constantFrom('0', '2', '1.5', '-1'));
const direction = fc.constantFrom('"client_to_server"', '"server_to_client"');
/** The transcript field of an entry: an object if mcpreel wrote it. */
const transcript = mostly(objectLine);
const commands = fc.constantFrom('python -m x', `"/my tools/x" 'it'`, 'unfinished "', '', ' a  b ').map(quote);

/** A message in a session file from another tool. */
export const sessionMessage: fc.Arbitrary<JsonText> = objectWith(
  {
    proxy_id: mostly(strings),
    sequence: jsonLine,
    timestamp: timeText,
    direction,
    transport: mostly(fc.constantFrom('"stdio"', '"sse"')),
    jsonrpc_id: mostly(fc.constant('1')),
    method: mostly(strings),
    correlated_id: mostly(strings),
    modified: flag,
    payload: message,
    original_payload: mostly(message),
    sent_text: mostly(strings),
    dropped: flag,
    injected: flag,
    conversation: conversations,
    batch: mostly(objectLine),
    http: mostly(objectLine),
    sse: mostly(objectLine),
    trace: mostlyObject({
      span: jsonLine,
      id: strings,
      dir: jsonLine,
      conv: conversations,
      raw: jsonLine,
      http: jsonLine,
      transcript,
    }),
    transcript,
  },
  ['direction', 'payload'],
);

const sessionEvent = objectWith(
  {
    before: fc.nat(5).map(String),
    timestamp: timeText,
    kind: strings,
    raw: jsonLine,
    conversation: conversations,
    trace: mostlyObject({ span: jsonLine, kind: jsonLine, conv: conversations, raw: jsonLine, transcript }),
    transcript,
  },
  ['before', 'kind', 'raw'],
);

const list = (item: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> =>
  fc.array(item, { maxLength: 6 }).map((items) => `[${items.join(',\n')}]`);

/** A session file from another tool. */
export const sessionFileText: fc.Arbitrary<JsonText> = objectWith(
  {
    id: mostly(strings),
    started_at: timeText,
    ended_at: timeText,
    transport: mostly(fc.constantFrom('"stdio"', '"sse"')),
    server_command: mostly(commands),
    server_url: mostly(fc.constantFrom('null', '"https://example.com/mcp"', '"?"')),
    messages: list(sessionMessage),
    metadata: mostly(objectLine),
    events: list(sessionEvent),
    trace: mostlyObject({
      meta: mostlyObject({ label: mostly(strings), cwd: jsonLine, transcript }),
      end: objectWith({ exitCode: jsonLine }),
    }),
    transcript,
  },
  ['messages'],
);

const argv = fc.array(fc.oneof(strings, jsonLine), { maxLength: 3 }).map((words) => `[${words.join(',')}]`);
const extra = mostlyObject({
  note: jsonLine,
  payload: jsonLine,
  messages: jsonLine,
  before: jsonLine,
  conversation: conversations,
  transcript,
});

const meta = objectWith(
  {
    v: fc.constantFrom('1', '2', '"1"'),
    type: fc.constant('"meta"'),
    startedAt: timeText,
    label: mostly(strings),
    command: mostly(argv),
    id: mostly(strings),
    transport: mostly(fc.constant('"stdio"')),
    url: mostly(fc.constant('"https://example.com/mcp"')),
    metadata: mostly(objectLine),
    kind: mostly(strings),
    extra,
    transcript,
  },
  ['v', 'type'],
);

const end = objectWith(
  {
    t: timeText,
    type: fc.constant('"end"'),
    exitCode: mostly(fc.nat(255).map(String)),
    durationMs: mostly(fc.nat().map(String)),
    signal: mostly(strings),
    reason: mostly(strings),
  },
  ['type'],
);

/** A message line in a trace from another tool. */
export const messageLine: fc.Arbitrary<JsonText> = objectWith(
  {
    t: timeText,
    dir: fc.constantFrom('"in"', '"out"', '"event"', '7'),
    seq: jsonLine,
    id: mostly(strings),
    corr: mostly(strings),
    corr_id: jsonLine,
    conv: conversations,
    batch: mostly(objectLine),
    http: mostly(objectLine),
    sse: mostly(objectLine),
    dropped: flag,
    injected: flag,
    rawText: mostly(strings),
    modified: flag,
    original: mostly(message),
    extra,
    transcript,
    raw: mostly(message),
  },
  ['dir', 'raw'],
);

/** An event line in a trace from another tool. */
export const eventLine: fc.Arbitrary<JsonText> = objectWith(
  {
    t: timeText,
    type: fc.constant('"event"'),
    dir: mostly(fc.constant('"event"')),
    kind: mostly(strings),
    seq: jsonLine,
    conv: conversations,
    extra,
    transcript,
    raw: jsonLine,
  },
  ['type'],
);

const otherLine = objectWith({ t: timeText, type: fc.constantFrom('"turn"', '"meta"', '"end"', '""', '7') }, ['type']);

/** A trace from another tool. */
export const traceText: fc.Arbitrary<string> = fc
  .record({
    first: fc.option(meta, { nil: undefined }),
    lines: fc.array(fc.oneof({ weight: 4, arbitrary: messageLine }, eventLine, otherLine), {
      minLength: 1,
      maxLength: 8,
    }),
    last: fc.option(end, { nil: undefined }),
    ending: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ first, lines, last, ending }) =>
    [first, ...lines, last].flatMap((line) => (line === undefined ? [] : [line + ending])).join(''),
  );

const strung = (text: fc.Arbitrary<string>): fc.Arbitrary<JsonText> => text.map(quote);
const batch = fc
  .tuple(fc.array(message, { minLength: 1, maxLength: 3 }), fc.constantFrom(',', ' ,\n '))
  .map(([texts, between]) => `[${texts.join(between)}]`);
const data = fc.oneof(message, batch, strung(message), strung(strung(message)), strung(batch), strings);
const aside = {
  timestamp_ms: fc.oneof(fc.nat().map(String), fc.constantFrom('null', '1e3', '8640000000000000')),
  transport_context: jsonLine,
  headers: objectLine,
};

/** An entry with the common fields and the one slot that it must have. Other slots may be present if they are null. */
const transcriptEntry: fc.Arbitrary<JsonText> = fc.oneof(
  objectWith({ ...aside, request: fc.oneof(message, batch), sse: fc.constant('null') }, ['request']),
  objectWith({ ...aside, response: fc.oneof(message, batch), request: fc.constant('null') }, ['response']),
  objectWith({ ...aside, response: fc.constant('null') }, ['response']),
  objectWith(
    {
      ...aside,
      sse: objectWith(
        { event: fc.constantFrom('"message"', 'null', '"endpoint"'), id: fc.constantFrom('"e"', '1.0', 'null'), data },
        ['data'],
      ),
    },
    ['sse'],
  ),
);

/** A valid transcript from another tool. */
export const transcriptText = (transport: string): fc.Arbitrary<JsonText> =>
  objectWith(
    { transport: fc.constant(quote(transport)), transport_context: objectLine, entries: list(transcriptEntry) },
    ['transport', 'entries'],
  );
