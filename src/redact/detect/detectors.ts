import { CONTEXT_DETECTORS } from './context-detectors.ts';
import { type Detector, NEVER } from './detector.ts';
import { SECRET_HEADER_END } from './header-values.ts';
import { PRIVATE_KEY } from './private-key.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

/** Text that can hide a secret from the fast scan, so that the text must be parsed. */
const CLOSER_LOOKS: readonly Detector[] = [
  {
    kind: 'headers',
    anchors: ['ader'],
    pattern: NEVER,
    hint: /aders\\*"/y,
    onlyWith: SECRET_HEADER_END,
    anywhere: true,
  },
  {
    // A character of a prefix may be written as an escape. Prefixes contain no characters that are escaped for HTML
    // (`\u003c`, `\u0026`).
    kind: 'escapes',
    anchors: ['\\u00'],
    pattern: NEVER,
    hint: /\\u00(?:2[0bdef]|3[0-9ad]|4|5[0-9af]|6|7[0-9a])/iy,
    anywhere: true,
  },
];

/** All detectors for secrets in strings. */
export const DETECTORS: readonly Detector[] = [...TOKEN_SHAPES, ...CONTEXT_DETECTORS, PRIVATE_KEY, ...CLOSER_LOOKS];
