import { LEFT_OUT, shellWord } from '../../src/model/shell-line.ts';

/** Characters that a terminal may act on or a person cannot see: controls, line breaks, direction overrides. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?!\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Whose shells a copied command is pasted into: dash, bash, zsh and fish, or cmd and PowerShell. */
export type ShellPlatform = 'posix' | 'win32';

/** The platform that this page is open on. */
export function shellPlatform(): ShellPlatform {
  // Node 20 has no such object, and the types of other tests do not have it.
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent: string } };
  return /\bWindows\b/.test(navigator?.userAgent ?? '') ? 'win32' : 'posix';
}

/** Quotes a text for the shells of a platform. A text that cannot be written safely for all of them is left out. */
export function shellQuote(text: string, platform: ShellPlatform = shellPlatform()): string {
  return shellWord(text, platform) ?? LEFT_OUT;
}

/** The same JSON with the invisible characters of its strings escaped, so that it can be pasted anywhere. */
export function visibleJson(text: string): string {
  return text.replaceAll(UNSAFE, (c) => (isSpace(c) ? c : unicodeEscapes(c)));
}

/** White space between tokens; inside strings it is already escaped. */
function isSpace(c: string): boolean {
  return c === '\n' || c === '\r' || c === '\t';
}

function unicodeEscapes(c: string): string {
  return Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
}
