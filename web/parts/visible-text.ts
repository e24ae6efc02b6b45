/** Characters that show nothing or turn the text around; those that choose between text and emoji do no harm. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?!\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** The same text with what cannot be seen made visible, so that nobody is misled by it. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (c) => `\u2039${c.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}\u203a`);
}
