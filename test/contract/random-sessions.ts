import fc from 'fast-check';
import { onOneLine } from '../../src/json/layout.ts';
import type { Entry, JsonText } from '../../src/model/entry.ts';
import type { RecordedSession, SessionFooter, SessionHeader } from '../../src/model/session.ts';
import { jsonText, objectText } from '../support/sample-texts.ts';
import { event, footer, header, message, other, session } from './factories.ts';

/** Random sessions of every shape in the model, for property tests of formats. */

/** JSON on a single line that UTF-8 can encode. */
const asLine = (text: string): JsonText => onOneLine(text.replace(/\p{Surrogate}/gu, '')).trim();

export const jsonLine: fc.Arbitrary<JsonText> = jsonText.map(asLine);
export const objectLine: fc.Arbitrary<JsonText> = objectText.map(asLine);

/** Any UTF-16 unit, including lone surrogates and control characters. */
const anyCharacter: fc.Arbitrary<string> = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

/** Strings that often break parsers: quotes, line breaks, lone surrogates, names that objects inherit. */
export const anyString: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom('', '__proto__', 'constructor', ' ', '\n', "it's", '"', '\\', '\ud800', '\u2028', 'null', '{}'),
);

const timeMs = fc.oneof(
  fc.integer({ min: 0, max: 4_102_444_800_000 }),
  // Includes times after the year 9999 and before 1970.
  fc.integer({ min: -62_198_755_200_000, max: 8_640_000_000_000_000 }),
);

const flag = fc.option(fc.constant(true as const), { nil: undefined });
const few = { freq: 3, nil: undefined };

/** Members that no format defines. */
const unknownMembers: fc.Arbitrary<JsonText> = fc
  .uniqueArray(fc.tuple(anyString, jsonLine), { selector: ([key]) => key, minLength: 1, maxLength: 4 })
  .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(`x${key}`)}:${value}`).join(',')}}`);

const keepsakes = fc.option(
  fc
    .record({
      session: fc.option(unknownMembers, few),
      trace: fc.option(unknownMembers, few),
      transcript: fc.option(unknownMembers, few),
    })
    .filter((kept) => (kept.session ?? kept.trace ?? kept.transcript) !== undefined),
  few,
);

const id = fc.oneof(fc.constantFrom('1', '"1"', '1.0', '2', 'null', '12345678901234567890'), jsonLine);

const messageText: fc.Arbitrary<JsonText> = fc.oneof(
  fc.tuple(id, jsonLine).map(([of, params]) => `{"jsonrpc":"2.0","id":${of},"method":"tools/call","params":${params}}`),
  fc.tuple(id, jsonLine).map(([of, result]) => `{"jsonrpc":"2.0","id":${of},"result":${result}}`),
  fc.tuple(id, jsonLine).map(([of, error]) => `{ "error" : ${error}, "id":${of} }`),
  fc.tuple(anyString, jsonLine).map(([method, params]) => `{"method":${JSON.stringify(method)},"params":${params}}`),
  objectLine,
);

const messages = fc
  .record(
    {
      proxyId: anyString,
      atMs: timeMs,
      direction: fc.constantFrom('client_to_server' as const, 'server_to_client' as const),
      text: messageText,
      original: fc.option(objectLine, few),
      sentText: fc.option(anyString, few),
      dropped: flag,
      injected: flag,
      conversation: fc.option(fc.nat(3), few),
      batch: fc.option(fc.constantFrom('{"frame":5,"index":0,"of":3}'), few),
      http: fc.option(objectLine, few),
      sse: fc.option(objectLine, few),
      keepsakes,
    },
    { noNullPrototype: true },
  )
  .map((parts) => message({ ...parts, ...(parts.original !== undefined && { modified: true }) }));

const events = fc
  .record({
    event: anyString,
    atMs: timeMs,
    raw: jsonLine,
    conversation: fc.option(fc.nat(3), few),
    keepsakes,
  })
  .map(event);

const others = fc
  .tuple(timeMs, fc.constantFrom('turn', 'meta', 'x', ''))
  .map(([atMs, type]) =>
    other({ atMs, type, text: `{"type":${JSON.stringify(type)}, "t":"${new Date(atMs).toISOString()}","v":1.0}` }),
  );

const entries: fc.Arbitrary<Entry[]> = fc.array(
  fc.oneof({ weight: 4, arbitrary: messages }, { weight: 1, arbitrary: events }, { weight: 1, arbitrary: others }),
  { maxLength: 12 },
);

const targets = fc.oneof(
  fc.array(anyString, { maxLength: 4 }).map((command) => ({ command, url: undefined })),
  fc.constantFrom('https://example.com/mcp', 'not a url', '').map((url) => ({ command: [], url })),
);

const headers: fc.Arbitrary<SessionHeader> = fc
  .record({
    id: anyString,
    startedAtMs: timeMs,
    label: anyString,
    transport: fc.constantFrom('stdio', 'sse', 'streamable-http', ''),
    target: targets,
    metadata: objectLine,
    keepsakes,
  })
  .map(({ target, ...parts }) => header({ ...parts, ...target }));

const footers: fc.Arbitrary<SessionFooter | undefined> = fc.option(
  fc
    .record({
      endedAtMs: timeMs,
      exitCode: fc.nat(255),
      signal: fc.option(anyString, few),
      reason: fc.option(fc.oneof(fc.constant('producer_shutdown'), anyString), few),
      durationMs: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((ms) => ms + 0),
      trace: fc.option(unknownMembers, few),
    })
    .map(({ trace, ...parts }) => footer({ ...parts, ...(trace !== undefined && { keepsakes: { trace } }) })),
  { nil: undefined },
);

/** Any session whose texts are on one line each. */
export const anySession: fc.Arbitrary<RecordedSession> = fc
  .record({ entries, header: headers, footer: footers })
  .map(({ entries: all, ...parts }) => session(all, parts));
