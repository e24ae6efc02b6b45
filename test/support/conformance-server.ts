// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { type Program, startFixture } from '../conformance/programs.mjs';

/**
 * Starts an HTTP server for clients of both protocol eras that implements the conformance suite. The caller stops it.
 */
export function startConformanceServer(): Promise<Program> {
  return startFixture();
}
