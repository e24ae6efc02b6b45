/** Tests of the built program, by the folder whose code they run. */
export const BUILT_PROGRAM_TESTS: Readonly<Record<string, readonly string[]>>;

/** The tests that these changed files need; undefined if that is all of them. */
export function testsFor(changed: readonly string[]): { files: string[]; folders: string[] } | undefined;
