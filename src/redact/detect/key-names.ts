import { kindOfName } from '../placeholder.ts';

/** A key rule: what its placeholder says, and whether it takes values of any type or strings only. */
export interface KeyRule {
  readonly kind: string;
  readonly anyValue: boolean;
}

/** Names that hold secrets, without separators and in lower case. */
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

/** Endings of longer names (`githubToken` is none of these: so end the names of page tokens, which are cursors). */
const SECRET_ENDINGS =
  /(?:password|passwd|passphrase|secret|secretkey|apikey|accesskey|privatekey|accesstoken|refreshtoken|idtoken|authtoken|apitoken|bearertoken|sessiontoken|securitytoken|csrftoken|xsrftoken|authorization)$/;

/** Key names are remembered, up to this many: a session uses the same few over and over. */
const MAX_REMEMBERED = 4096;

/** Which keys have their values removed. Case and separators of a name do not matter. */
export class KeyNames {
  readonly #strict: boolean;
  readonly #own: ReadonlySet<string>;
  readonly #remembered = new Map<string, KeyRule | undefined>();

  constructor(strict: boolean, ownKeys: readonly string[]) {
    this.#strict = strict;
    this.#own = new Set(ownKeys.map(plainName));
  }

  /** Whether there is no rule at all. */
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

/** A name without case and separators. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a plain name is one that secrets go by. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name) || SECRET_ENDINGS.test(name);
}
