const PIECE = 8192;

/** A piece of a text, and its offset. */
export interface TextPiece {
  readonly at: number;
  readonly text: string;
}

/**
 * Splits a text into pieces that a browser can lay out separately, at line breaks if any are near. Joined, the pieces
 * equal the text.
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

function pieceEnd(text: string, from: number, to: number): number {
  const lineEnd = text.lastIndexOf('\n', to - 1);
  return lineEnd > from + (to - from) / 2 ? lineEnd + 1 : wholeCharacter(text, to);
}

/** A surrogate pair is one character. */
function wholeCharacter(text: string, at: number): number {
  const c = text.charCodeAt(at - 1);
  return c >= 0xd800 && c <= 0xdbff ? at + 1 : at;
}
