/** Compiles a regular expression to a test function; throws if it is invalid. */
export type CompileRegex = (source: string, ignoresCase: boolean) => (text: string) => boolean;

/**
 * Loads the engine for regular expressions in filters. It uses RE2 syntax and takes linear time for any pattern. It is
 * loaded on demand, because most filters have no regular expression.
 */
export async function loadRegexEngine(): Promise<CompileRegex> {
  const { RE2JS } = await import('re2js');
  return (source, ignoresCase) => {
    const pattern = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => pattern.test(text);
  };
}
