/** Invisible and direction-changing characters, except variation selectors, which are harmless. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?!\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Makes the invisible characters of a text visible, so that they mislead no reader. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (c) => `\u2039${digitsOf(c)}\u203a`);
}

/** The invisible characters of a text, such as `U+202E`, each with its count. */
export function unseenIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [c] of text.matchAll(UNSEEN)) {
    const name = `U+${digitsOf(c)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function digitsOf(character: string): string {
  return character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
}
