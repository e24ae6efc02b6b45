import type { EventEntry } from '../../../model/entry.ts';
import type { Finder, FindingOptions } from '../finder.ts';
import type { FindingMessage } from '../seen-message.ts';
import { inline } from '../wording.ts';

/** Reports secrets by kind and place. The caller provides the detector. */
export const secrets: Finder = {
  codes: ['secret-present'],
  watch: (report, { detectSecrets }) => {
    if (detectSecrets === undefined) return {};
    return {
      message: ({ entry }) => {
        for (const sentence of sentencesOf(entry, detectSecrets)) report('secret-present', sentence, [entry.sequence]);
      },
      event: (entry, place) => {
        for (const sentence of sentencesOf(entry, detectSecrets)) report('secret-present', sentence, place);
      },
    };
  },
};

function sentencesOf(
  entry: FindingMessage['entry'] | EventEntry,
  detect: NonNullable<FindingOptions['detectSecrets']>,
): Set<string> {
  return new Set(detect(entry).map(({ kind, place }) => `There is a secret (${inline(kind)}) at ${inline(place)}.`));
}
