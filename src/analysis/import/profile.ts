export const PROFILES = ['strict', 'semantic', 'shape'] as const;

/**
 * Which parts of two values are compared. `strict`: everything except JSON-RPC ids. `semantic`: everything except
 * volatile values, with JSON inside strings compared as JSON. `shape`: member names and value types.
 *
 * @example
 * ```ts
 * import { type CompareProfile, replaySession } from 'mcpreel';
 *
 * const compare: CompareProfile = 'shape';
 * const { matches } = await replaySession('session.json', { command: ['node', 'server.js'], compare });
 * console.log(matches);
 * ```
 */
export type Profile = (typeof PROFILES)[number];
