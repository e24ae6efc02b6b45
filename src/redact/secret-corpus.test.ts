import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { describe, expect, it } from 'vitest';
import { CONFIG_FILES } from '../../test/corpus/secrets/config-files.ts';
import { HARMLESS_LINES, harmlessFiles } from '../../test/corpus/secrets/harmless-texts.ts';
import { OTHER_TEXTS } from '../../test/corpus/secrets/other-texts.ts';
import { namedSecrets, type PlantedSecret, plantedRows } from '../../test/corpus/secrets/secret-samples.ts';
import { SOURCE_LINES } from '../../test/corpus/secrets/source-lines.ts';
import { namedTokens, tokenSamples } from '../../test/corpus/secrets/token-samples.ts';
import { mayHoldSecret } from './detect/secret-gate.ts';
import { findSecrets } from './detect/secret-scan.ts';
import { PLACEHOLDERS } from './placeholder.ts';
import { createRedactor } from './redactor.ts';

const CORPORA = {
  'names in 136 syntaxes': namedSecrets(1, 4),
  'configuration files': plantedRows(4, CONFIG_FILES),
  'code, commands and logs': plantedRows(5, SOURCE_LINES),
  'less common syntaxes': plantedRows(6, OTHER_TEXTS),
  'token shapes': tokenSamples(2),
  'service names': namedTokens(3),
} as const;
const HARMLESS = [...HARMLESS_LINES.map((text) => ({ title: text, text })), ...harmlessFiles(40)];

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/redact.md'), 'utf8');

/** The lines of a block of the documentation. */
function documented(block: string): string[] {
  return new RegExp(`\`\`\`${block}\\n([^]*?)\\n\`\`\``).exec(DOCS)?.[1]?.split('\n') ?? [];
}

/** The text of a tool's result after redaction. */
function redact(text: string): string {
  const entry = createRedactor({ mode: 'secrets', salt: 'salt' }).entry({
    kind: 'message',
    sequence: 0,
    proxyId: 'm',
    atMs: 0,
    direction: 'server_to_client',
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } }),
  });
  const message = JSON.parse(entry.kind === 'message' ? entry.text : '') as {
    result: { content: [{ text: string }] };
  };
  return message.result.content[0].text;
}

/** Whether a text contains a secret, as it is or as a syntax encodes it. */
function holds(text: string, secret: string): boolean {
  const plain = withoutEscapes(text).replaceAll('&amp;', '&').replaceAll('&lt;', '<');
  const encoded = ['', 'me:', 'x', 'x-access-token:'].map((before) => btoa(before + secret));
  return [withoutEscapes(secret), encodeURIComponent(secret), ...encoded, btoa(secret + secret)].some((form) =>
    plain.includes(form),
  );
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/\\+n/g, '\n').replaceAll('\\', '');
}

function missedIn(corpus: readonly PlantedSecret[]): string[] {
  return corpus.filter(({ text, secret }) => holds(redact(text), secret)).map(({ title, text }) => `${title}: ${text}`);
}

/** The number of texts in which secretlint reports anything. One call looks at all, because each has a cost. */
async function foundBySecretlint(texts: readonly string[]): Promise<number> {
  const chosen = rules.filter(({ meta }) => !meta.id.includes('filter'));
  const config = { rules: chosen.map((rule) => ({ id: rule.meta.id, rule })) };
  const content = texts.join('\n\n');
  const source = { filePath: 'a.txt', ext: '.txt', contentType: 'text', content } as const;
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
  let end = 0;
  return texts.filter((text) => {
    const start = end;
    end += text.length + 2;
    return messages.some(({ range }) => range[0] < end && range[1] > start);
  }).length;
}

describe('the corpus of secrets', () => {
  it('plants at least 400 secrets, and each of them is in its text', () => {
    const all = Object.values(CORPORA).flat();
    expect(all.length).toBeGreaterThanOrEqual(400);
    expect(all.filter(({ text, secret }) => !holds(text, secret))).toEqual([]);
  });

  it.each(Object.keys(CORPORA) as (keyof typeof CORPORA)[])('redacts at least 99 of 100 secrets: %s', (name) => {
    const corpus = CORPORA[name];
    const missed = missedIn(corpus);
    const allowed = name === 'less common syntaxes' ? 0.22 : 0.01;
    expect(missed.length / corpus.length, missed.join('\n')).toBeLessThanOrEqual(allowed);
  });

  it.each(Object.keys(CORPORA) as (keyof typeof CORPORA)[])(
    'passes each text that contains a detected secret to the scan: %s',
    (name) => {
      const passed = CORPORA[name].filter(
        ({ text }) => findSecrets(text).length > 0 && !mayHoldSecret(JSON.stringify(text)),
      );
      expect(passed).toEqual([]);
    },
  );

  it.each(Object.keys(CORPORA) as (keyof typeof CORPORA)[])('changes nothing in a redacted text: %s', (name) => {
    const again = CORPORA[name].map(({ text }) => redact(text)).filter((text) => redact(text) !== text);
    expect(again).toEqual([]);
  });

  it('changes at most one of 200 harmless texts', () => {
    expect(HARMLESS.length).toBeGreaterThanOrEqual(200);
    const changed = HARMLESS.filter(({ text }) => redact(text) !== text).map(({ title }) => title);
    expect(changed.length / HARMLESS.length, changed.join('\n')).toBeLessThanOrEqual(0.005);
  });

  it('redacts as many texts as the documentation states, next to the figures of secretlint', async () => {
    const rows: string[] = [];
    for (const [name, corpus] of Object.entries(CORPORA)) {
      const found = corpus.length - missedIn(corpus).length;
      const byLint = await foundBySecretlint(corpus.map(({ text }) => text));
      rows.push(`| ${name} | ${corpus.length} | ${found} | ${byLint} |`);
    }
    const changed = HARMLESS_LINES.filter((text) => redact(text) !== text).length;
    rows.push(
      `| harmless lines | ${HARMLESS_LINES.length} | ${changed} | ${await foundBySecretlint(HARMLESS_LINES)} |`,
    );
    expect(rows.filter((row) => !DOCS.includes(row))).toEqual([]);
  });
});

describe('the examples of the documentation', () => {
  it.each(documented('secrets'))('redacts the part between the arrows: %s', (line) => {
    const [before = '', , after = ''] = line.split(/[\u2192\u2190]/);
    const redacted = redact(line.replaceAll(/[\u2192\u2190]/g, ''));
    expect(redacted.replace(PLACEHOLDERS, '#')).toBe(`${before}#${after}`);
  });

  it.each(documented('harmless'))('keeps the documented harmless line: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});
