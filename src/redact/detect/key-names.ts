import { kindOfName } from '../placeholder.ts';

/** A key rule: the kind in its placeholder, and whether it applies to values of any type or only to strings. */
export interface KeyRule {
  readonly kind: string;
  readonly anyValue: boolean;
}

/** Names of secrets, in lower case and without separators. */
const SECRET_NAMES = new Set([
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'secret',
  'secrets',
  'token',
  'apikey',
  'apitoken',
  'authkey',
  'authorization',
  'proxyauthorization',
  'auth',
  'bearer',
  'cookie',
  'cookies',
  'setcookie',
  'credential',
  'credentials',
  'session',
  'sessionkey',
  'sessionid',
  'jwt',
  'otp',
  'pin',
  'signature',
  'connectionstring',
  'encryptionkey',
  'signingkey',
  'accesskeyid',
]);

/** Endings of longer names. `githubToken` does not match, because page tokens, which are cursors, end the same way. */
const SECRET_ENDINGS =
  /(?:password|passwd|passphrase|secret|secretkey|apikey|accesskey|privatekey|accesstoken|refreshtoken|idtoken|authtoken|apitoken|bearertoken|sessiontoken|securitytoken|csrftoken|xsrftoken|authorization)$/;

/** The maximum number of cached key names. A session uses the same few names again and again. */
const MAX_REMEMBERED = 4096;

/** Decides by their names which keys have their values redacted. Case and separators are ignored. */
export class KeyNames {
  readonly #strict: boolean;
  readonly #own: ReadonlySet<string>;
  readonly #remembered = new Map<string, KeyRule | undefined>();

  constructor(strict: boolean, ownKeys: readonly string[]) {
    this.#strict = strict;
    this.#own = new Set(ownKeys.map(plainName));
  }

  get none(): boolean {
    return !this.#strict && this.#own.size === 0;
  }

  ruleFor(key: string): KeyRule | undefined {
    if (this.#remembered.has(key)) return this.#remembered.get(key);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    const rule = this.#judge(key);
    this.#remembered.set(key, rule);
    return rule;
  }

  #judge(key: string): KeyRule | undefined {
    const name = plainName(key);
    if (this.#own.has(name)) return { kind: kindOfName(key), anyValue: true };
    return this.#strict && isSecretName(name) ? { kind: kindOfName(key), anyValue: false } : undefined;
  }
}

/** Returns a name in lower case and without separators. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns whether a plain name is a known name of secrets. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name) || SECRET_ENDINGS.test(name);
}
