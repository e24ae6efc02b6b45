const PIECE = 8192;

/** A part of a text, and where it begins. */
export interface TextPiece {
  readonly at: number;
  readonly text: string;
}

/**
 * Cuts a text into pieces that a browser can lay out one by one, at line breaks where there are some near. Joined they are
 * the text again.
 */
export function textPieces(text: string, length: number = PIECE): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + length >= text.length ? text.length : pieceEnd(text, at, at + length);
    pieces.push({ at, text: text.slice(at, end) });
    at = end;
  }
  return pieces;
}

/** What stands before a text is cut: at most so many characters of it, and never half of one. */
export function textHead(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, wholeCharacter(text, length));
}

function pieceEnd(text: string, from: number, to: number): number {
  const lineEnd = text.lastIndexOf('\n', to - 1);
  return lineEnd > from + (to - from) / 2 ? lineEnd + 1 : wholeCharacter(text, to);
}

/** A pair of surrogates is one character. */
function wholeCharacter(text: string, at: number): number {
  const c = text.charCodeAt(at - 1);
  return c >= 0xd800 && c <= 0xdbff ? at + 1 : at;
}
