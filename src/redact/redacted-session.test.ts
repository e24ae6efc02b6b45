import { describe, expect, it } from 'vitest';
import { event, footer, header, message, other, session } from '../../test/contract/factories.ts';
import { entriesIn } from '../../test/contract/files.ts';
import { GITHUB_TOKEN } from '../../test/support/sample-secrets.ts';
import { redactedSession } from './redacted-session.ts';

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

describe('a redacted session', () => {
  it('leaves no secret in the header, the footer or any text of the entries', async () => {
    const redacted = redactedSession(recorded, { mode: 'secrets', salt: 'salt' });
    const entries = await entriesIn(redacted);
    expect(JSON.stringify([redacted.header, redacted.footer, entries])).not.toContain(GITHUB_TOKEN);
    const texts = JSON.stringify([recorded.header, recorded.footer, await entriesIn(recorded)]).split(GITHUB_TOKEN);
    expect([...redacted.removals()]).toEqual([['github-token', texts.length - 1]]);
  });

  it('counts the redacted values anew each time the session is read', async () => {
    const redacted = redactedSession(session([event({ raw: text })]), { mode: 'secrets', salt: 'salt' });
    for (let pass = 0; pass < 2; pass++) {
      await entriesIn(redacted);
      expect([...redacted.removals()]).toEqual([['github-token', 1]]);
    }
  });
});
