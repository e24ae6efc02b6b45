/** Recognizes objects whose members are secret, or not, because of other members beside them. */

import type { ContainerLevel } from './container-level.ts';

/** Members of a JSON Web Key that are secret. */
const JWK_SECRETS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);
const MIN_JWK = 20;
/** How much of an object is searched for the member that names its kind. */
const MAX_SEARCHED = 8192;

/** Returns whether an object is a `ConfigMap`, as far as its first members tell. */
export function isConfigMap(level: ContainerLevel | undefined, text: string): boolean {
  return level !== undefined && /"kind"\s{0,8}:\s{0,8}"(\w{1,40})"/.exec(beginningOf(level, text))?.[1] === 'ConfigMap';
}

/** Returns whether a value is a private part of a JSON Web Key. */
export function isJwkSecret(level: ContainerLevel, value: string, text: string): boolean {
  return (
    level.isObject &&
    JWK_SECRETS.has(level.key) &&
    value.length >= MIN_JWK &&
    /"kty"\s{0,8}:/.test(beginningOf(level, text))
  );
}

function beginningOf({ start }: ContainerLevel, text: string): string {
  return text.slice(start, start + MAX_SEARCHED);
}
