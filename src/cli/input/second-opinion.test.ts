import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../../test/support/growth.ts';
import { letters, NEAR_MISSES, SAMPLE_SECRETS, SERVICE_ACCOUNT_TOKEN } from '../../../test/support/sample-secrets.ts';
import { createRedactor, type RedactOptions } from '../../redact/redactor.ts';
import { withSecondOpinion } from './second-opinion.ts';

const options: RedactOptions = { mode: 'secrets', salt: 'salt' };

/** Redacts JSON texts with a second opinion. */
async function redacted(...texts: string[]): Promise<{ texts: string[]; kinds: string[] }> {
  const entries = texts.map((text) => ({ kind: 'other', type: undefined, atMs: 0, text }) as const);
  const first = createRedactor(options);
  async function* redactedTexts(): AsyncGenerator<string[]> {
    for (const entry of entries) {
      const after = first.entry(entry);
      yield after.kind === 'other' ? [after.text] : [];
    }
  }
  const second = createRedactor(await withSecondOpinion(options, redactedTexts()));
  const after = entries.map((entry) => second.entry(entry));
  return {
    texts: after.flatMap((entry) => (entry.kind === 'other' ? entry.text : [])),
    kinds: [...second.removed.keys()],
  };
}

describe('the second secret scanner', () => {
  it('redacts secrets that the first scanner missed, everywhere they occur', async () => {
    const { texts, kinds } = await redacted(
      JSON.stringify({ a: `token: ${SERVICE_ACCOUNT_TOKEN}.` }),
      JSON.stringify({ b: JSON.stringify({ c: `"${SERVICE_ACCOUNT_TOKEN}"` }) }),
    );
    expect(kinds).toEqual(['secretlint-1password']);
    expect(texts.join()).not.toContain(SERVICE_ACCOUNT_TOKEN.slice(0, 40));
    expect(texts[0]).toMatch(/^\{"a":"token: \[REDACTED:secretlint-1password:[0-9a-f]{8}\]\."\}$/);
  });

  it('ignores secretlint-disable comments in the traffic', async () => {
    const { kinds } = await redacted(JSON.stringify(['// secretlint-disable', SERVICE_ACCOUNT_TOKEN]));
    expect(kinds).toEqual(['secretlint-1password']);
  });

  it('adds nothing for secrets that are already known', async () => {
    const { kinds } = await redacted(...SAMPLE_SECRETS.map(({ text }) => JSON.stringify({ text })));
    expect(kinds.filter((kind) => kind.startsWith('secretlint'))).toEqual([]);
  });

  it.each(NEAR_MISSES)('finds no secrets in: %s', async (text) => {
    const json = JSON.stringify({ text });
    expect(await redacted(json)).toEqual({ texts: [json], kinds: [] });
  });

  it('scans a text full of near-secrets in linear time', async () => {
    const textOf = (count: number): string =>
      JSON.stringify(['xoxb-ghp_ aws_secret_access_key = https://u:'.repeat(count), letters(40 * count)]);
    const large = textOf(40_000);
    expect((await redacted(large)).texts).toEqual([large]);
    const small = textOf(5_000);
    await expectLinearGrowth({ small: () => redacted(small), large: () => redacted(large), times: 8 });
  });
});
