import type { DetectedSecret, Finder } from '../finder.ts';
import { inline } from '../wording.ts';

/** Reports secrets by kind and place. The caller provides the detector. */
export const secrets: Finder = {
  codes: ['secret-present'],
  watch: (report, { detectSecrets, edgeSecrets = [] }) => {
    for (const sentence of sentencesOf(edgeSecrets)) report('secret-present', sentence, []);
    if (detectSecrets === undefined) return {};
    return {
      entry: (entry, evidence) => {
        for (const sentence of sentencesOf(detectSecrets(entry))) report('secret-present', sentence, evidence);
      },
    };
  },
};

/** A path in the text of a message needs no name. Other parts of an entry keep theirs: `original $.params`. */
function readable(place: string): string {
  return place.replace(/^text (?=\$)/, '');
}

function sentencesOf(secrets: readonly DetectedSecret[]): Set<string> {
  return new Set(
    secrets.map(
      ({ kind, place }) =>
        `The recording has a secret (${inline(kind)}) at ${inline(readable(place))}. Remove it with mcpreel redact.`,
    ),
  );
}
