/**
 * Distinguishes secrets from prose, source code and template placeholders. Tools often return files, so code that
 * handles secrets is far more common in traffic than secrets.
 */

/** The maximum length of prose or code. Longer values are always treated as tokens. */
const MAX_PROSE = 64;

/** Words that follow a scheme's name in sentences and challenges. */
const PROSE =
  /^(?:[a-z]{1,15}|(?:token|auth|authentication|authorization|scheme|realm|error|scope|resource|format|credential)s?(?:[-_=./].*)?|\w+=|[a-z]+(?:_[a-z]+)+)$/i;

/** Matches expressions such as `req.headers.authorization` and `getToken(`. */
const EXPRESSION = /^[a-z_$][\w$]*(?:\.[a-z_$][\w$]*|[[(].*)+$/i;

const BLANK = /^(?:\*+|[xX]+|\.+|\$?\{.*\}|<.*>|\$[A-Z_]+|%[A-Z_]+%)$/;

/** Returns whether a value is literal rather than masked or a variable's name. */
export function isWritten(value: string): boolean {
  return !BLANK.test(value);
}

/** Returns whether the text after an authorization scheme's name is a credential. */
export function isCredential(value: string): boolean {
  return value.length > MAX_PROSE || (!PROSE.test(value) && isWritten(value));
}

/** Returns whether a value that only its name identifies looks generated rather than written by hand. */
export function isOpaque(value: string): boolean {
  if (value.length > MAX_PROSE) return true;
  return value.length >= 12 && /\d/.test(value) && !EXPRESSION.test(value) && isWritten(value);
}

/** Returns whether Basic credentials decode to printable `user:password`. */
export function holdsUserAndPassword(base64: string): boolean {
  return base64.length <= 1024 && /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decodeBase64(base64) ?? '');
}

/**
 * The maximum length of a token header to decode. Longer headers contain certificates and are accepted without
 * decoding.
 */
const MAX_HEADER = 8192;

/** Returns whether the first part of a JSON Web Token is a valid header: an object that names an algorithm. */
export function hasTokenHeader(token: string): boolean {
  const header = token.slice(0, token.indexOf('.'));
  return header.length > MAX_HEADER || /"(?:alg|enc|typ)"\s*:/.test(decodeBase64(header) ?? '');
}

/** Decodes base64 of either alphabet into one character per byte. Returns `undefined` if the text is not base64. */
export function decodeBase64(text: string): string | undefined {
  const digits = text.replace(/={1,2}$/, '');
  // Check first, because exceptions are slow and hostile text causes many.
  if (digits.length % 4 === 1 || !/^[\w+/-]*$/.test(digits)) return undefined;
  return atob(digits.replaceAll('-', '+').replaceAll('_', '/'));
}
