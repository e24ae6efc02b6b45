/** Characters that show nothing or turn the text around; those that choose between text and emoji do no harm. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?!\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** The same text with what cannot be seen made visible, so that nobody is misled by it. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (c) => `\u2039${digitsOf(c)}\u203a`);
}

/** The characters of a text that cannot be seen, such as `U+202E`, and how often each is there. */
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
