import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullSession } from '../../test/contract/factories.ts';
import { anySession } from '../../test/contract/random-sessions.ts';
import { SAMPLE_SECRETS } from '../../test/support/sample-secrets.ts';
import { anyString, jsonText } from '../../test/support/sample-texts.ts';
import type { Entry } from '../model/entry.ts';
import { entriesOf } from '../model/session.ts';
import { compileValuePatterns } from './detect/value-pattern.ts';
import { createRedactor, type RedactOptions } from './redactor.ts';

const EVERY_RULE: Omit<RedactOptions, 'patterns'> = {
  mode: 'strict',
  salt: 'salt',
  keys: ['a', 'pin'],
  paths: ['$..b[0]', '$.params.x'],
  exactValues: ['given-secret', 'REDACTED'],
};

const secretText = fc.constantFrom(...SAMPLE_SECRETS.map(({ text }) => text));

/** Text with secrets in it, adjacent to each other and to any other text. */
const plantedText = fc
  .array(
    fc.oneof(secretText, anyString, fc.constantFrom(' ', '\n', '"', 'x', 'given-secret', 'Bearer ', '?token=', '[')),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''));

const key = fc.constantFrom('a', 'b', 'text', 'password', 'headers', 'cookie', 'inputSchema', 'cursor', 'x', 'params');
const plantedValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    plantedText,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    tie('value').map((value) => JSON.stringify(value)),
  ),
})).value;

function messageOf(text: string): Entry {
  return { kind: 'message', sequence: 0, proxyId: 'm', atMs: 0, direction: 'client_to_server', text };
}

function textAfter(text: string, options: RedactOptions): string {
  const entry = createRedactor(options).entry(messageOf(text));
  return entry.kind === 'message' ? entry.text : '';
}

describe('redaction', () => {
  it('changes nothing when it is applied a second time', async () => {
    const patterns = await compileValuePatterns(['[A-Z]{3,}', 'x+', '\\d+$']);
    const inMode = fc.constantFrom<RedactOptions>({ mode: 'secrets', salt: 'salt' }, { ...EVERY_RULE, patterns });
    fc.assert(
      fc.property(plantedValue, inMode, (value, options) => {
        const once = textAfter(JSON.stringify(value), options);
        expect(textAfter(once, options)).toBe(once);
      }),
    );
  });

  it('changes only the strings that contain a secret', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(secretText, fc.integer(), fc.constant('clean'))), (values) => {
        const before = { params: { nested: [{ values }], other: '{"a": 1}' } };
        const after = JSON.parse(textAfter(JSON.stringify(before), { mode: 'secrets', salt: 's' })) as typeof before;
        expect(after).toEqual({ params: { nested: [{ values: expect.any(Array) }], other: '{"a": 1}' } });
        for (const [index, value] of after.params.nested[0]?.values.entries() ?? []) {
          const was = values[index];
          if (typeof was === 'number' || was === 'clean') expect(value).toBe(was);
          else expect(value).toMatch(/\[REDACTED:[a-z0-9-]+:[0-9a-f]{8}\]/);
        }
      }),
    );
  });

  it('keeps JSON valid for any text and with every rule', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          jsonText,
          plantedValue.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const after = textAfter(text, EVERY_RULE);
          expect(() => JSON.parse(after)).not.toThrow();
        },
      ),
    );
  });

  it('removes every planted secret, whichever of its characters are escaped', () => {
    const spelling = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLE_SECRETS), spelling, ({ text, secret }, escapes) => {
        const literal = [...text].map((c, i) =>
          escapes[i % escapes.length] ? escaped(c) : JSON.stringify(c).slice(1, -1),
        );
        const after = textAfter(`{"x":["${literal.join('')}"]}`, { mode: 'secrets', salt: 's' });
        expect((JSON.parse(after) as { x: string[] }).x[0]).not.toContain(secret);
      }),
    );
  });

  it('redacts any session without an error, and changes nothing on a second run', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (session) => {
        const [first, second] = [createRedactor(EVERY_RULE), createRedactor(EVERY_RULE)];
        const header = first.header(session.header);
        expect(second.header(header)).toBe(header);
        for await (const entry of entriesOf(session)) {
          const once = first.entry(entry);
          expect(second.entry(once)).toBe(once);
        }
      }),
    );
  });
});

describe('redaction of text without secrets', () => {
  const folder = join(import.meta.dirname, '../../test/corpus');
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    // These folders hold no captures: client settings with the secrets that people put there, arbitrary fuzzer inputs,
    // and planted secrets.
    .filter((path) => !['install', 'fuzz', 'secrets'].some((name) => path.startsWith(join(folder, name))));

  it.each(paths)('returns entries without secrets as the same objects: %s', (path) => {
    const redactor = createRedactor({ mode: 'secrets', salt: 'salt' });
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      const entry: Entry = { kind: 'other', type: undefined, atMs: 0, text };
      expect(redactor.entry(entry)).toBe(entry);
    }
  });

  it('returns every part of a session without secrets as the same object', async () => {
    const redactor = createRedactor({ mode: 'secrets', salt: 'salt', exactValues: ['not in there'] });
    const session = fullSession();
    expect(redactor.header(session.header)).toBe(session.header);
    for await (const entry of entriesOf(session)) expect(redactor.entry(entry)).toBe(entry);
    expect(redactor.removed.size).toBe(0);
  });
});

function escaped(c: string): string {
  return [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
}
