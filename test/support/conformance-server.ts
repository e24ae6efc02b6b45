// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { type Program, startFixture } from '../conformance/programs.mjs';

/**
 * Starts a server over HTTP that speaks to clients of both eras and has all that the conformance suite looks for.
 * Whoever starts it stops it.
 */
export function startConformanceServer(): Promise<Program> {
  return startFixture();
}
