import { writers } from '../../../src/formats/registry.ts';
import { findFault } from '../../../src/json/scan.ts';
import { type JsonPath, removeAt, sliceAt, spliceAt } from '../../../src/json/splice.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { redactedSession } from '../../../src/redact/redacted-session.ts';
import { createRedactor, type RedactOptions } from '../../../src/redact/redactor.ts';
import { event, header, message, session } from '../../contract/factories.ts';
import { writeAll } from '../../contract/files.ts';
import { SAMPLE_SECRETS } from '../../support/sample-secrets.ts';
import { jsonText } from '../../support/sample-texts.ts';
import { Random } from '../random.ts';
import { corpusSeeds, randomSeeds, textSeeds } from '../seeds.ts';
import { hold, outcomeOf, same, type Target } from '../target.ts';

const seeds = (): Uint8Array[] => [
  ...corpusSeeds('trace', 'jsonrpc', 'mcp-rec').flatMap((file) =>
    textSeeds(...new TextDecoder().decode(file).split('\n')),
  ),
  ...randomSeeds(jsonText, 50),
  ...textSeeds(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch","arguments":{"headers":{"Authorization":"Bearer x"},"url":"https://a:b@c.example/?token=1"}}}',
    '{"requestHeaders":[["Cookie","a=b; c=d"],["X-Api-Key","k"]],"responseHeaders":{"set-cookie":["a=b"]},"text":"{\\"a\\":[\\"b\\"]}"}',
    '{"result":{"tools":[{"name":"a","inputSchema":{"properties":{"password":{"type":"string"}}}}],"nextCursor":"abc"}}',
  ),
];

/** Fuzzes redaction: secrets planted in documents of any shape must not appear in the output. */
export const redactTargets: readonly Target[] = [{ name: 'redact', perSecond: 1000, seeds, check: checkRedaction }];

const GIVEN = 'Gx7-given-value-Zq9';

async function checkRedaction(input: Uint8Array): Promise<void> {
  const random = Random.of(input);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
  if (findFault(text) !== undefined) {
    redacted(text, { mode: 'strict', salt: 's' });
    return;
  }
  const mode = random.pick(['secrets', 'strict'] as const);
  const options: RedactOptions = { mode, salt: 'salt', exactValues: [GIVEN] };
  const plain = redacted(text, options);
  same(findFault(plain), undefined, 'what is left is JSON');
  same(redacted(plain, options), plain, 'redacting twice is redacting once');
  const path = objectIn(text, random);
  if (path === undefined) return;
  const { secret, holding } = chosenSecret(path, random);
  const planted = spliceAt(text, [...path, 'planted'], JSON.stringify(holding)) ?? '';
  const after = redacted(planted, options);
  hold(!sliced(after, [...path, 'planted']).includes(secret), 'a planted secret is gone', () => ({ planted, after }));
  same(
    removeAt(after, [...path, 'planted']),
    removeAt(redacted(spliceAt(text, [...path, 'planted'], '0') ?? '', options), [...path, 'planted']),
    'what is around a secret stays',
  );
  await checkWritten(planted, holding, secret, options, random);
}

/** In a schema only secrets that the user gave are removed. */
function chosenSecret(path: JsonPath, random: Random): { secret: string; holding: string } {
  const isSchema = path.some((key) => /^(?:input|output|requested)_?schema$/i.test(String(key)));
  if (isSchema || random.oneIn(3)) return { secret: GIVEN, holding: random.pick([GIVEN, `a ${GIVEN}.`, `x${GIVEN}y`]) };
  const { secret, text } = random.pick(SAMPLE_SECRETS);
  return { secret, holding: random.oneIn(4) ? JSON.stringify({ inner: [text] }) : text };
}

/** Writes a session with the document in every possible field; the secret must not appear in the file. */
async function checkWritten(
  planted: string,
  holding: string,
  secret: string,
  options: RedactOptions,
  random: Random,
): Promise<void> {
  const keepsakes = { session: planted, trace: planted, transcript: planted };
  const entries: Entry[] = [
    message({ text: planted, ...(findFault(planted) === undefined && { keepsakes }) }),
    message({ text: '{"jsonrpc":"2.0","id":1,"method":"a"}', modified: true, original: planted, sentText: planted }),
    message({ text: '{"jsonrpc":"2.0","method":"b"}', http: planted, sse: planted, batch: planted }),
    event({ raw: JSON.stringify({ text: holding }), keepsakes }),
    event({ event: 'http.exchange', raw: planted }),
  ];
  const whole = session([random.pick(entries), random.pick(entries)], {
    header: header({ metadata: planted, keepsakes }),
  });
  const writer = random.pick(writers);
  const written = await outcomeOf(() => writeAll(writer, redactedSession(whole, options)));
  if ('value' in written)
    hold(!written.value.includes(secret), `no secret is in a file (${writer.id})`, () => ({
      secret,
      written: written.value,
    }));
}

function redacted(text: string, options: RedactOptions): string {
  const entry = createRedactor(options).entry(message({ text }));
  return entry.kind === 'message' ? entry.text : '';
}

function sliced(text: string, path: JsonPath): string {
  return JSON.stringify(JSON.parse(sliceAt(text, path) ?? 'null'));
}

/** The path to an object in a document, if it has one. */
function objectIn(text: string, random: Random): (string | number)[] | undefined {
  let path: (string | number)[] | undefined;
  const way: (string | number)[] = [];
  for (let at: unknown = JSON.parse(text); typeof at === 'object' && at !== null; ) {
    if (!Array.isArray(at) && (path === undefined || random.oneIn(2))) path = [...way];
    const keys = Object.keys(at);
    if (keys.length === 0 || way.length > 40) break;
    const key = random.pick(keys);
    way.push(Array.isArray(at) ? Number(key) : key);
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return path;
}
