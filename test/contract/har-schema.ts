import { createRequire } from 'node:module';
import { type Schema, Validator } from '@cfworker/json-schema';

const whole = { type: 'integer' };
const text = { type: 'string' };
const time = { type: 'number', minimum: 0 };
/** A part of the total time; -1 if it does not apply. */
const part = { type: 'number', minimum: -1 };

function record(
  required: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, comment: text, ...optional },
    patternProperties: { '^_': {} },
    additionalProperties: false,
  };
}

const listOf = (items: object): object => ({ type: 'array', items });
const pair = record({ name: text, value: text });
const program = record({ name: text, version: text });
const dateTime = { type: 'string', format: 'date-time' };
const cookie = record(
  { name: text, value: text },
  { path: text, domain: text, expires: dateTime, httpOnly: { type: 'boolean' }, secure: { type: 'boolean' } },
);
const postData = record({ mimeType: text }, { text, params: listOf(record({ name: text })) });
const content = record({ size: whole, mimeType: text }, { compression: whole, text, encoding: text });
const message = {
  httpVersion: text,
  cookies: listOf(cookie),
  headers: listOf(pair),
  headersSize: whole,
  bodySize: whole,
};
const request = record(
  { method: text, url: { type: 'string', format: 'uri' }, queryString: listOf(pair), ...message },
  { postData },
);
const response = record({ status: whole, statusText: text, content, redirectURL: text, ...message });
const timings = record(
  { send: part, wait: part, receive: part },
  { blocked: part, dns: part, connect: part, ssl: part },
);
const entry = record(
  { startedDateTime: dateTime, time, request, response, cache: { type: 'object' }, timings },
  { pageref: text, serverIPAddress: text, connection: text },
);
const page = record({ startedDateTime: dateTime, id: text, title: text, pageTimings: { type: 'object' } });
const log = record(
  { version: { const: '1.2' }, creator: program, entries: listOf(entry) },
  { browser: program, pages: listOf(page) },
);

/** Every field of HAR 1.2 and no other. Names that start with an underscore are custom fields. */
const places = new Validator(
  { type: 'object', required: ['log'], properties: { log }, additionalProperties: false } as Schema,
  '2020-12',
  false,
);

/** The HAR 1.2 schema that other tools use. */
const { har, ...parts } = createRequire(import.meta.url)('har-schema') as Readonly<Record<string, Schema>>;
const published = new Validator(har ?? false, '7', false);
for (const schema of Object.values(parts)) published.addSchema(schema);

/** The errors that either validator finds in an archive. */
export function harFaults(archive: unknown): string[] {
  return [published, places].flatMap((validator) =>
    validator.validate(archive).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`),
  );
}
