import { describe, expect, it } from 'vitest';
import { event, footer, header, message, other, session } from '../../test/contract/factories.ts';
import { entriesIn } from '../../test/contract/files.ts';
import { GITHUB_TOKEN } from '../../test/support/sample-secrets.ts';
import { redactedSession, textsOf } from './redacted-session.ts';

const text = `{"a":"${GITHUB_TOKEN}"}`;
const keepsakes = { session: text, trace: text, transcript: text };
const recorded = session(
  [
    message({ text, original: text, sentText: text, batch: text, http: text, sse: text, keepsakes }),
    event({ raw: text, keepsakes }),
    other({ text }),
  ],
  {
    header: header({ label: text, command: [text], url: text, metadata: text, keepsakes }),
    footer: footer({ reason: text, keepsakes: { trace: text } }),
  },
);

describe('a session without its secrets', () => {
  it('has them in none of its texts, all of which can be looked at again', async () => {
    const seen: string[] = [];
    for await (const texts of textsOf(recorded)) seen.push(...texts);
    const redacted = redactedSession(recorded, { mode: 'secrets', salt: 'salt' });
    await entriesIn(redacted);
    expect(seen).toEqual(seen.map(() => text));
    // Every text had one value removed.
    expect([...redacted.removals()]).toEqual([['github-token', seen.length]]);
  });

  it('counts what was removed anew each time it is read', async () => {
    const redacted = redactedSession(session([event({ raw: text })]), { mode: 'secrets', salt: 'salt' });
    for (let pass = 0; pass < 2; pass++) {
      await entriesIn(redacted);
      expect([...redacted.removals()]).toEqual([['github-token', 1]]);
    }
  });
});
