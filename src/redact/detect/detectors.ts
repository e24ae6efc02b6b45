import { CONTEXT_DETECTORS } from './context-detectors.ts';
import { type Detector, NEVER } from './detector.ts';
import { SECRET_HEADER_END } from './header-values.ts';
import { PRIVATE_KEY } from './private-key.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

/** What a text may hold that hides a secret from the scan of clean text, so that it has to be read properly. */
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
    // A character of a prefix may be spelled as an escape. Those of HTML (`\u003c`, `\u0026`) are in no prefix.
    kind: 'escapes',
    anchors: ['\\u00'],
    pattern: NEVER,
    hint: /\\u00(?:2[0bdef]|3[0-9ad]|4|5[0-9af]|6|7[0-9a])/iy,
    anywhere: true,
  },
];

/** Every way in which a secret is recognised in a string. */
export const DETECTORS: readonly Detector[] = [...TOKEN_SHAPES, ...CONTEXT_DETECTORS, PRIVATE_KEY, ...CLOSER_LOOKS];
