import { CONTEXT_DETECTORS } from './context-detectors.ts';
import type { Detector } from './detector.ts';
import { PRIVATE_KEY } from './private-key.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

/** All detectors for secrets in strings, except names and values. */
export const DETECTORS: readonly Detector[] = [...TOKEN_SHAPES, ...CONTEXT_DETECTORS, PRIVATE_KEY];
