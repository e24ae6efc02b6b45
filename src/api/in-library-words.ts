import { ReelError } from '../model/errors.ts';

/** Options that are not called like the flags that they are: what is given several times has the plural. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['redact-key', 'redactKeys'],
  ['redact-value', 'redactValues'],
  ['redact-path', 'redactPaths'],
  // Only this function has these, and whatever wants a session takes what it returns.
  ['format', "readSession's format"],
  ['identity', "readSession's identity"],
]);

/** Does some work; what it throws names options of the library where it would name flags of the command line. */
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
