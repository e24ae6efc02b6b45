/** Characters that show nothing or turn the text around: controls, directions, joiners, fillers, tags, variations. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** The same text with what cannot be seen made visible, so that nobody is misled by it. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (c) => `\u2039${c.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}\u203a`);
}
