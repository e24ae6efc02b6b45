import { ReelError } from '../model/errors.ts';

/** Options whose names differ from the flags of the command line. Repeatable ones are plural. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['redact-key', 'redactKeys'],
  ['redact-value', 'redactValues'],
  ['redact-path', 'redactPaths'],
  // Only `readSession` has these options. All functions that take a session accept its result.
  ['format', "readSession's format"],
  ['identity', "readSession's identity"],
]);

/** Runs `work` and translates its errors: hints name the library's options instead of command-line flags. */
export async function inLibraryWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ReelError && error.hint?.includes('--') ? withOptions(error, error.hint) : error;
  }
}

function withOptions(error: ReelError, hint: string): ReelError {
  const named = hint.replaceAll(
    /--([a-z]+(?:-[a-z]+)*)/g,
    (_, flag: string) => OTHERWISE.get(flag) ?? inCamelCase(flag),
  );
  return new ReelError(error.code, error.message, { hint: named, cause: error.cause });
}

function inCamelCase(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
