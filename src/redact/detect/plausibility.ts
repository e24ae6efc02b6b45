/**
 * What tells a value from a word of a sentence, a name in source code or a blank in a template. Tools show people files,
 * so that code which handles secrets is far more common in traffic than the secrets.
 */

/** The longest text that may be prose or code: what is longer is a token without a second look. */
const MAX_PROSE = 64;

/** Words that follow the name of a scheme in sentences and challenges. */
const PROSE =
  /^(?:[a-z]{1,15}|(?:token|auth|authentication|authorization|scheme|realm|error|scope|resource|format|credential)s?(?:[-_=./].*)?|\w+=|[a-z]+(?:_[a-z]+)+)$/i;

/** `req.headers.authorization`, `getToken(` */
const EXPRESSION = /^[a-z_$][\w$]*(?:\.[a-z_$][\w$]*|[[(].*)+$/i;

const BLANK = /^(?:\*+|[xX]+|\.+|\$?\{.*\}|<.*>|\$[A-Z_]+|%[A-Z_]+%)$/;

/** Whether a value is really there, rather than starred out or a variable's name. */
export function isWritten(value: string): boolean {
  return !BLANK.test(value);
}

/** Whether what follows the name of an authorization scheme is a credential. */
export function isCredential(value: string): boolean {
  return value.length > MAX_PROSE || (!PROSE.test(value) && isWritten(value));
}

/** Whether a value that only a name announces is one that nobody would write by hand. */
export function isOpaque(value: string): boolean {
  if (value.length > MAX_PROSE) return true;
  return value.length >= 12 && /\d/.test(value) && !EXPRESSION.test(value) && isWritten(value);
}

/** Whether Basic credentials decode to printable `user:password`. */
export function holdsUserAndPassword(base64: string): boolean {
  return base64.length <= 1024 && /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decodeBase64(base64) ?? '');
}

/** The longest first part of a token that is looked into; longer ones hold certificates and are taken as they are. */
const MAX_HEADER = 8192;

/** Whether the first part of a JSON Web Token is what it has to be: an object that names an algorithm. */
export function hasTokenHeader(token: string): boolean {
  const header = token.slice(0, token.indexOf('.'));
  return header.length > MAX_HEADER || /"(?:alg|enc|typ)"\s*:/.test(decodeBase64(header) ?? '');
}

/** The bytes of a base64 text of either alphabet, a character each; `undefined` where it is none. */
export function decodeBase64(text: string): string | undefined {
  const digits = text.replace(/={1,2}$/, '');
  // Checked beforehand, because failing is slow and hostile text fails often.
  if (digits.length % 4 === 1 || !/^[\w+/-]*$/.test(digits)) return undefined;
  return atob(digits.replaceAll('-', '+').replaceAll('_', '/'));
}
