/** Makes a test of a regular expression, or throws where it cannot be used. */
export type CompileRegex = (source: string, ignoresCase: boolean) => (text: string) => boolean;

/**
 * The engine for the regular expressions of filters, in RE2's syntax: its time grows with the text's length and no
 * faster, whatever a person types. It is loaded when it is asked for, because most filters have none.
 */
export async function loadRegexEngine(): Promise<CompileRegex> {
  const { RE2JS } = await import('re2js');
  return (source, ignoresCase) => {
    const pattern = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => pattern.test(text);
  };
}
