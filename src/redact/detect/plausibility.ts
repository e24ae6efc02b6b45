import { type NameStrength, SEPARATORS } from '../names/secret-names.ts';

/**
 * Distinguishes secrets from prose, source code and template placeholders. Tools often return files, so code that
 * handles secrets is far more common in traffic than secrets.
 */

/** Where a value stands. */
export interface ValueSetting {
  readonly strength: NameStrength;
  /** Whether quotes or a structure say where the value ends. Without them, it may be an expression in code. */
  readonly quoted: boolean;
  /** Whether it is the value of a setting, on a line of its own or as a member of an object. */
  readonly isSetting: boolean;
}

/** Longer values without spaces are data that no person wrote. Only the beginning of a value is looked at. */
const MAX_LOOK = 128;
const MIN_LENGTH: Readonly<Record<NameStrength, number>> = { password: 4, secret: 6, weak: 12 };

/** Returns whether a value is a secret, given the name that it is assigned to. */
export function isPlausibleSecret(whole: string, { strength, quoted, isSetting }: ValueSetting): boolean {
  const value = whole.length > MAX_LOOK ? whole.slice(0, MAX_LOOK) : whole;
  if (quoted && isNoise(value)) return true;
  const hasSpace = /\s/.test(value);
  if (value.length < MIN_LENGTH[strength] || (hasSpace && strength !== 'password') || !isLiteral(value)) return false;
  if (isExpression(value, quoted, isSetting) || (strength === 'password' && isFullPath(value))) return false;
  if (isVersion(value) || (/[^\0-\x7f]/.test(value) && (strength !== 'password' || !/\d/.test(value)))) return false;
  if (hasSpace) return isPassphrase(value);
  if (strength === 'weak' && !quoted && !isSetting && /^[A-Za-z]+$/.test(value)) return false;
  if (strength === 'weak') return looksRandom(value) || holdsUserAndPassword(value);
  if (/^\d+$/.test(value)) return strength === 'password' ? isSetting || value.length >= 6 : value.length >= 14;
  if (strength === 'password') return isPassword(value, quoted, isSetting);
  return isMade(value);
}

/** Returns whether a value is a run of symbols, digits and letters of either case that no person wrote and no program reads. */
function isNoise(value: string): boolean {
  if (value.length < MIN_NOISE || !MANY_SYMBOLS.test(value) || READ_BY_PROGRAMS.test(value)) return false;
  const symbols = new Set(value.match(/[!-/:-@[-`{-~]/g));
  return (
    symbols.size >= 5 &&
    (value.match(/\d/g)?.length ?? 0) >= 2 &&
    (value.match(/[A-Za-z]/g)?.length ?? 0) >= 6 &&
    !/[a-z]{6}|[A-Z]{6}|\s{2}/.test(value) &&
    entropyOf(value) >= 3.8
  );
}

const MIN_NOISE = 20;
const MANY_SYMBOLS = /^(?:[^!-/:-@[-`{-~]*[!-/:-@[-`{-~]){5}/;
/** Parts of templates and regular expressions. */
const READ_BY_PROGRAMS = /\$\{\w[^}]*\}|\{\{.*\}\}|<%.*%>|^\^|\$$|\(\?[:=!<]|\\[dws]|[aA]-[zZ]|0-9/;

/** Returns whether a value is written out, rather than masked, a placeholder, or a reference to another value. */
export function isLiteral(whole: string): boolean {
  const value = whole.length > MAX_LOOK ? whole.slice(0, MAX_LOOK) : whole;
  return isWritten(value) && !isPlaceholderWord(value);
}

/** Like `isLiteral`, but words such as `password` and `changeme` count as values too. */
export function isWritten(value: string): boolean {
  return !MASKED.test(value) && !REFERENCE.test(value);
}

/** One character over and over, dots or stars within, or brackets around, as in `****`, `sk-...abcd` and `<your key>`. */
const MASKED =
  /^(.)\1{2,}$|^[xX*.\u2022#_-]{3,}$|\*{3}|\.{3}|\u2026|\u2022{2}|x{5}|X{5}|^<.*>?$|^&lt;|^\[.*\]?$|^\{.*\}?$|^\(.*\)$|^(?:\[|<|%5B)?(?:redacted|filtered|masked|hidden|removed|scrubbed|omitted|sensitive|sanitized|secret-removed)\b/i;

/** Variables, calls and addresses from which a program takes the value. */
const REFERENCE =
  /^\$[A-Za-z_({$]|^\$\d|^%[\w.:-]+%$|^%[({]|%[sdvq]\b(?!%)|^@[\w.-]+@$|^@\w+\(|^#\{|^!(?:Ref|Sub|GetAtt|vault|secret|env)|^[{<]%|\{\{|\$\{|\$\(|<%|^:[a-z_]+$|^\?$|\(\?[:=!]|\\[SsDdWwb][+*{]|^(?:required|nullable|sometimes)\||^qr?[/{]|^\/\^|^(?:env|vault|secret|secrets|file|ref|aws|gcp|op|ssm|arn|keyring|keychain|azurekv|sm|var|local|data|module|each|self|this|process|os|config|settings|std)[:.]|^(?:https?|file|s3|gs|ssh|git|urn|data):|^(?:env|getenv|ENV)\b|^(?:[A-Za-z]:)?(?:\\{1,2}[\w .-]+){2}/;

function isPlaceholderWord(value: string): boolean {
  const plain = value.toLowerCase().replaceAll(/[\s._-]/g, '');
  return (
    STAND_INS.test(plain) ||
    /^(?:foo(?:bar)?(?:baz)?|bar|baz|abc(?:def)?(?:ghi)?|asdf|qwerty|#[0-9a-f]{3,8}|utf-?(?:8|16|32)(?:le|be)?|latin-?1|base(?:32|64)(?:url)?|md5|sha-?\d{1,3}|aes-?\d{3}(?:-[a-z]{3})?)$/i.test(
      value,
    ) ||
    (EXAMPLES.test(plain) && !/\d.*[A-Za-z].*\d/.test(value))
  );
}

/** Whole values that stand for a secret to be filled in. */
const STAND_INS =
  /^(?:your.*|my(?:secret|password|token|apikey|key)\w{0,8}|insert.*|enter.*|replace.*|change(?:me|it|this)(?:now|please|later|inproduction)?|put.*here|.*here|todo.*|fixme.*|tbd|placeholder.*|dummy.*|example.*|sample.*|fake.*|lorem.*|none|null|nil|undefined|true|false|test|testing|testpassword|some(?:secret|password|token|key|value).*|a?(?:secret|password|token|api|key|access|private|auth|value|pass|passwd|credentials?)+(?:value|string)?|string|unset|empty|generated?|random|unknown|hidden|optional|required|never|nota?(?:secret|password|token|set|real)\w*|na)$/;
const EXAMPLES =
  /example|placeholder|changeme|dummy|yoursecret|yourtoken|yourpassword|yourapi|yourkey|redacted|abcdefghijklm/;

/** Returns whether a value is an expression in source code. Quotes make that unlikely, unless they are part of it. */
function isExpression(value: string, quoted: boolean, isSetting: boolean): boolean {
  if (CALL.test(value) && (!quoted || !value.includes('(') || value.includes(')'))) return true;
  if (quoted) return false;
  if (/^\/.+\/[dgimsuvy]*;?$/.test(value)) return true;
  if (CONSTANT.test(value)) return true;
  if (OPERATION.test(value) || (!isSetting && /[?(|]|!./.test(value) && !CHOSEN.test(value))) return true;
  return MEMBER.test(value) && value.split(/\.|->|::/).every((part) => isIdentifier(part));
}

/** A number as programs write it. */
const CONSTANT = /^(?:0x[0-9a-f]{1,8}|\d{1,3}<<\d{1,2})[ul]{0,3}$/i;
/** Letters, digits and exclamation or question marks that are no operators. */
const CHOSEN = /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])(?!.*[!?][.=])(?!.*\?.*:)[\w.@#%^*+~!?-]{8,}$/;

const CALL =
  /^(?:(?:await|new|return|typeof|function|async|lambda|yield)\s|[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*(?:!|\?\.)?(?:\(|\[['"\w]*\]$|<\w))/;
const OPERATION =
  /^[!&*~]|^(?:return|throw|void|typeof|delete)\b\W|^-.{0,12}$|=>|={3}[^=]|^[^(]*\}\)$|\|\||&&|\?\?|\?\.|^\w+\[|[;{}]$|\(\)|^[A-Za-z_]+[),]/;
const MEMBER = /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$#][\w$]*)+$/;

function isIdentifier(part: string): boolean {
  const letters = part.replaceAll(/(?<=[A-Za-z])\d{1,5}(?=[A-Z_]|$)/g, '');
  return isWordy(letters) || letters.length <= 3 || /^[A-Za-z]{2,}\d{1,3}[A-Za-z]{2,}$/.test(part);
}

/** Returns whether several words may be a passphrase instead of a sentence. */
function isPassphrase(value: string): boolean {
  if (!/^[a-z]{2,12}(?: [a-z]{2,12}){3,24}$/.test(value))
    return (
      /^\S{4,}(?: \S{1,24}){1,3}$/.test(value) &&
      SYMBOLS.test(value) &&
      /\d/.test(value) &&
      !/[.:,?]$|[:,] /.test(value)
    );
  return !/\b(?:a|an|the|is|are|be|to|of|for|in|on|at|by|or|and|not|your|you|this|that|must|may|can|will|if|when|with|from|as|no)\b/.test(
    value,
  );
}

const SYMBOLS = /[^A-Za-z0-9\s]/;

/**
 * Returns whether a value is the path of a file or folder, as in `PWD`, `OLDPWD` and `SSH_AUTH_SOCK`. Keys that programs
 * make may begin with a slash too, so this is only for values that people choose.
 */
export function isFullPath(value: string): boolean {
  return (
    /^(?:~?\/|[A-Za-z]:[\\/])(?:[\w.@%~() -]{1,64}[\\/])*[\w.@%~() -]{0,64}$/.test(value) && !/ {2}| $/.test(value)
  );
}

/** Returns whether a value looks random, whatever its name, as hexadecimal digits do. */
export function isRandom(value: string): boolean {
  if (/^[\w.-]+\/v?\d+(?:\.\d+)+/.test(value)) return false;
  return looksRandom(value) || (/^[0-9a-f]{32,}$/i.test(value) && entropyOf(value) >= 3);
}

/** Returns whether a value may be a password that a person chose. */
function isPassword(value: string, quoted: boolean, isSetting: boolean): boolean {
  if (isPath(value)) return false;
  if (/^[A-Za-z]+$/.test(value))
    return (isSetting && isPasswordOfLetters(value, quoted)) || (value.length >= 12 && isJumbled(value));
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)) return false;
  const hasDigit = /\d/.test(value);
  if (!quoted && !isSetting) return hasDigit && (!isWordy(value) || SYMBOLS_OF_CHOICE.test(value));
  if (isWordy(value))
    return hasDigit
      ? SYMBOLS_OF_CHOICE.test(value) || !value.includes('_') || isChosen(value, quoted)
      : isSetting && /^[a-z]+(?:-[a-z]+){2,}$/.test(value);
  return hasDigit || !/^[\w$]+(?:\.[\w$]+)+$/.test(value);
}

/** Symbols that people add to words to make them passwords, and that identifiers and paths do not have. */
const SYMBOLS_OF_CHOICE = /[!#$%^&*?+~]|@\d/;

/** Returns whether words joined by `_` are a password instead of an identifier. */
function isChosen(value: string, quoted: boolean): boolean {
  return (quoted || /_\d\d|^[A-Z]|_[A-Z]|\d{3}$/.test(value)) && !IDENTIFIER_WORDS.test(value.replaceAll('_', ' '));
}

const IDENTIFIER_WORDS =
  /\b(?:pass(?:word|wd)?|pwd|secret|token|key|field|input|label|name|user|hash|value|args?|params?|column|test|type|data|text|var|old|new|env|db)\d*\b/i;

/** Letters alone are a password only if they are no word of programs and labels. */
function isPasswordOfLetters(value: string, quoted: boolean): boolean {
  if (value.length >= 12 && isJumbled(value)) return true;
  if (!/^[a-z]+$/.test(value)) return value.length >= 8 && /[a-z]/.test(value) && !isWordy(value);
  if (value.length < 6) return false;
  return !COMMON_WORDS.has(value) && (quoted || value.length <= 16);
}

/** Returns whether a program made a value: it is no word, name, path, version or address. */
function isMade(value: string): boolean {
  if (value.length < 8 || isPath(value))
    return value.length >= 6 && value.length < 8 && isMixed(value) && !isWordy(value);
  if (/^[A-Za-z]+$/.test(value)) return value.length >= 12 && isJumbled(value);
  if (!/[\d!@#$%^*+?~\\(){}[\]|<>]/.test(value)) return false;
  return (!isWordy(value) || (/\d/.test(value) && SYMBOLS_OF_CHOICE.test(value))) && !isAddress(value);
}

/** Returns whether a value is random, however it is named. Hashes and ids, which are hexadecimal, do not count. */
function looksRandom(value: string): boolean {
  if (value.length < 16 || !/^[\w+/=.~:@%-]+$/.test(value) || /={3}[^=]/.test(value) || isHashOrId(value)) return false;
  if (isPath(value) || isWordy(value) || isAddress(value)) return false;
  return /\d/.test(value)
    ? entropyOf(value) >= 3.2
    : value.length >= 20 && /^[A-Za-z]+$/.test(value) && isJumbled(value);
}

/** Returns whether a value is a hash, a UUID or a number, which identify things. */
function isHashOrId(value: string): boolean {
  return /^(?:[0-9a-f]+|[0-9A-F]+|(?:sha\d{1,3}|md5)[-:].*)$/.test(value) || isUuid(value);
}

export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

function isPath(value: string): boolean {
  if (!/[\\/]/.test(value) || /[+=]/.test(value)) return false;
  const parts = value.split(/[\\/]+/).filter((part) => part !== '');
  return (
    parts.length > 0 &&
    parts.every(
      (part) =>
        /^[~.*]{1,2}$|^[A-Za-z]:$/.test(part) || isWordy(part) || /^[a-z]{1,3}$|^[\w@-]+\.[a-z0-9]{1,5}$/i.test(part),
    )
  );
}

function isAddress(value: string): boolean {
  return /^[\w.-]+:\d{1,5}$|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|^(?:[\w-]+\.)+[a-z]{2,6}$|^\d{4}-\d\d-\d\d/i.test(value);
}

function isVersion(value: string): boolean {
  return /^[\^~<>=v]*\d+(?:\.\d+){1,3}(?:[-+][\w.+-]+)?$|^\d+(?:\.\d+){4,24}$/.test(value);
}

/** Returns whether a value consists of pronounceable words and small numbers, as names and identifiers do. */
export function isWordy(value: string): boolean {
  const humps = value.match(/[a-z][A-Z]/g)?.length ?? 0;
  if (humps > value.length / 4.5) return false;
  const segments = value
    .replaceAll(/%[0-9A-Fa-f]{2}/g, ' ')
    .replaceAll(/([a-z])([A-Z])|(\d)([A-Z][a-z])/g, '$1$3 $2$4')
    .split(SEPARATORS)
    .filter((segment) => segment !== '');
  const words = segments.map((segment) => segment.replace(/\d{1,4}$/, ''));
  const letters = words.filter((word) => word !== '');
  const numbers = segments.filter((segment) => /\d$/.test(segment)).length;
  if (letters.length === 0 || numbers > 2 || letters.some((word) => /\d/.test(word) && !NAMES_WITH_DIGITS.test(word)))
    return false;
  const long = letters.filter((word) => word.length >= 3);
  const short = letters.length - long.length;
  return long.length > 0 && short <= Math.max(2, long.length) && long.every(isPronounceable);
}

const NAMES_WITH_DIGITS =
  /^(?:\d{1,3}[a-z]{1,3}|k8s|i18n|l10n|b2b|s3|ec2|oauth2\w*|http2|utf8|sha\d+\w*|base64\w*|x509|v\d)$/i;

function isPronounceable(word: string): boolean {
  if (/^(?:[A-Z]?[a-z]{1,2}|[A-Z]{2,5}|[a-z]{3})$/.test(word)) return true;
  const lower = word.toLowerCase();
  if (KNOWN_ABBREVIATIONS.test(lower)) return true;
  if (/[a-z][A-Z]|[A-Z]{2}[a-z]/.test(word) && word.length < 16 && !/^[A-Z]+s?$/.test(word)) return false;
  if (/[^aeiouy\u0080-\uffff]{6}/.test(lower) || /[aeiou]{4}|(.)\1\1/.test(lower)) return false;
  const vowels = lower.replaceAll(/[^aeiouy\u0080-\uffff]/g, '').length / lower.length;
  return vowels >= 0.12 && vowels <= 0.75 && !RARE_PAIRS.test(lower) && lower.length <= 24;
}

const KNOWN_ABBREVIATIONS =
  /^(?:http|https|html|xml|json|yaml|sql|mysql|css|ssl|tls|ssh|sftp|ftp|smtp|jwt|rsa|ecdsa|hmac|sha|md|aws|gcp|src|str|ctrl|btn|params?|pwd|npm|gpg|pgp|dns|grpc|rpc|cdn|sdk|cfg|ctx|req|res|msg|pkg|tmp|fn|db|dbs|prod|dev|mgmt|mgr|svc|k8s|xhr|rhs|lhs)$/;
/** Pairs of letters that hardly occur in words of any language that programs are written in. */
const RARE_PAIRS =
  /q[^u]|[bcdfgjklmpqtvwxz]q|j[bcdfghjklmnpqrstvwxz]|[bcdfghjklmpqrtvwxz]j|[bcdfghjklmnpqrstvz]x|x[bdgjkmrvwz]|v[bcdfghjkmpqtwxz]|[bcfghjkmpqtvwxz]v|w[bcgjmpqvxz]|z[bcdfgjkmnpqrstvwx]|[bcdfghjkmpqrvwx]z|[fgkpqvxz]k[^ins]|hx|hz|qg|fk|gk|pk|mk|kg|kp|kf|gf|gp|fp|bk|pb|gb|vb|zk/;

/** Returns whether letters follow each other without the order of words. */
function isJumbled(value: string): boolean {
  const humps = value.match(/[a-z][A-Z]/g)?.length ?? 0;
  const rare = value.toLowerCase().match(RARE_RUNS)?.length ?? 0;
  const isShuffled = value.length >= 14 && caseRuns(value) > value.length / 3.5;
  return (isShuffled || humps > value.length / 5 || rare >= Math.max(2, value.length / 10)) && !isWordy(value);
}

/** The number of words that the case of letters tells apart. */
function caseRuns(value: string): number {
  return value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.length ?? 0;
}

const RARE_RUNS = new RegExp(`${RARE_PAIRS.source}|[^aeiouy]{6}`, 'g');

/** The entropy of the characters of a text, in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy;
}

/** Words that stand where a password could stand, in types, forms, labels and code. */
const COMMON_WORDS = new Set(
  `string number boolean integer object symbol unknown function default required optional undefined hidden visible enabled
   disabled password passwd secret token value values input output username email address field fields label title text
   plain prompt always never manual automatic cleartext plaintext encrypted hashed bcrypt scrypt argon config settings
   request response result results params option options invalid missing wrong correct expired changed reset confirm forgot
   credential credentials basic bearer digest oauth openid session cookie header headers current previous method
   private public protected internal external reference example sample placeholder nothing anything something
   process environ environment variable variables argument arguments context message content
   newpassword oldpassword userpassword dbpassword sudo mysql postgres localhost system strong medium simple short
   account security login logout signin signup register admin administrator authentication authorization passphrase
   hasher encoder provider service manager client server database keyring keychain vault prompted generated random
   generate callback promise return import export module extends static readonly`.split(/\s+/),
);

/** Words that follow a scheme's name in sentences and challenges. */
const PROSE =
  /^(?:[a-z]{1,15}|(?:token|auth|authentication|authorization|scheme|realm|error|scope|resource|format|credential)s?(?:[-_=./].*)?|[a-z_]{1,32}=|[a-z]+(?:[_-][a-z]+)+)$/i;

/** Returns whether the text after an authorization scheme's name is a credential. */
export function isCredential(value: string): boolean {
  return value.length > 64 || (!PROSE.test(value) && isLiteral(value) && !isExpression(value, false, true));
}

/** Returns whether Basic credentials decode to printable `user:password`. */
export function holdsUserAndPassword(base64: string): boolean {
  return base64.length >= 8 && base64.length <= 1024 && /^[\x21-\x7e]+:[\x20-\x7e]+$/.test(decodeBase64(base64) ?? '');
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
