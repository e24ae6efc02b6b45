import { ReelError } from '../model/errors.ts';

/** Does some work; what it throws names options of the library where it would name flags of the command line. */
export async function inLibraryWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ReelError && error.hint?.includes('--') ? withOptions(error, error.hint) : error;
  }
}

function withOptions(error: ReelError, hint: string): ReelError {
  const named = hint.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_, flag: string) =>
    flag.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase()),
  );
  return new ReelError(error.code, error.message, { hint: named, cause: error.cause });
}
