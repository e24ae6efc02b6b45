/** Tests of the built program, by the file or folder whose code they run. */
export const BUILT_PROGRAM_TESTS: Readonly<Record<string, readonly string[]>>;

/** The tests that these changed and removed files need; undefined if that is all of them. */
export function testsFor(
  changed: readonly string[],
  removed?: readonly string[],
): { files: string[]; folders: string[] } | undefined;
