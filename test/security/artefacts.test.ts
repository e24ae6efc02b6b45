import { readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Place } from '../support/place.ts';
import { SAMPLE_SECRETS } from '../support/sample-secrets.ts';
import { skipOnWindows } from '../support/unless.ts';
import { everythingIn, makeEverything, openToOthers } from './artefacts.ts';

/** One secret of each kind, long enough not to occur by chance. */
const SECRETS = [
  ...new Map(SAMPLE_SECRETS.filter(({ secret }) => secret.length >= 16).map((s) => [s.kind, s])).values(),
];

/** A part of a secret, on one line, that would still leak it. */
function recognizablePart(secret: string): string {
  return secret
    .split(/\\n|\n/)
    .reduce((longest, line) => (/^-----/.test(line) ? longest : line.length > longest.length ? line : longest), '');
}

describe('the files that are made from a session', { timeout: 120_000 }, () => {
  it(
    'only their owner can access them with any umask, and they contain no secrets',
    skipOnWindows('Windows has no file modes'),
    async () => {
      const before = process.umask(0);
      onTestFinished(() => void process.umask(before));
      const place = new Place();
      const printed = await makeEverything(
        place,
        SECRETS.map(({ text }) => text),
      );
      const files = place.files();
      expect(files.length).toBeGreaterThan(25);
      expect(openToOthers(place.folder)).toEqual([]);
      expect(readdirSync(place.path('tmp'))).toEqual([]);
      const all = [
        ...printed.map((text) => [text.slice(0, text.indexOf('\n')), text]),
        ...files.map((name) => [name, everythingIn(place, name)]),
      ];
      const leaks = SECRETS.flatMap(({ kind, secret }) =>
        all.filter(([, text]) => text?.includes(recognizablePart(secret))).map(([name]) => `${kind} in ${name}`),
      );
      expect(leaks).toEqual([]);
      // The recording did contain the secrets.
      expect(place.trace()).toContain('[REDACTED:github-token:');
    },
  );
});
