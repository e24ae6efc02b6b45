import { strengthOfName } from '../names/secret-names.ts';
import { kindOfName } from '../placeholder.ts';
import { type DetectedSpan, RANK } from './detector.ts';
import { findInHeader, isSecretHeader, SCHEME } from './header-values.ts';
import { isLiteral, isPlausibleSecret } from './plausibility.ts';

/** Where a member stands, and which rules apply. */
interface MemberSetting {
  readonly isHeader: boolean;
  /** Whether any value of a name that says secret counts. */
  readonly isStrict: boolean;
}

/** Finds the parts of a string to redact because of the name of its member, pair or header. */
export function findInMember(name: string, value: string, setting: MemberSetting): readonly DetectedSpan[] {
  const { isHeader, isStrict } = setting;
  // A header that copies an argument of a tool is judged as the argument is.
  const argument = isHeader ? COPIED_ARGUMENT.exec(name)?.[1] : undefined;
  if (argument !== undefined) return findInMember(argument, value, { ...setting, isHeader: false });
  const strength = strengthOfName(name);
  if (strength === undefined || value === '') return [];
  const holdsCredentials = /^(?:(?:proxy-?)?authorization|(?:set-?)?cookie)$/i.test(name);
  if (holdsCredentials && (isHeader || SCHEME.test(value) || /^[^\s=;]+=[^\s;]{6}/.test(value))) {
    return findInHeader(name, value);
  }
  if (isHeader) return isSecretHeader(name) ? findInHeader(name, value) : [];
  const isPlausible = isPlausibleSecret(value, { strength, quoted: true, isSetting: true });
  if (!isPlausible && !(isStrict && strength !== 'weak' && isLiteral(value))) return [];
  const start = SCHEME.exec(value)?.[0].length ?? 0;
  return [{ start, end: value.length, kind: kindOfName(name), rank: RANK.context }];
}

const COPIED_ARGUMENT = /^mcp-param-(.+)$/i;

/** The kind of an object or array under a name that only secrets have. */
export function findInContainer(name: string): string | undefined {
  const own = strengthOfName(name);
  // A list has the plural of its elements' name. One of tokens alone says less than one that is named `token`.
  const strength = own === 'password' || own === 'secret' ? own : strengthOfName(name.replace(/(?<!passe)s$/i, ''));
  return strength === 'password' || strength === 'secret' ? kindOfName(name) : undefined;
}

/** Returns the kind of a number that is a password. */
export function findInNumber(name: string, number: string): string | undefined {
  return strengthOfName(name) === 'password' && /^\d{4,}$/.test(number) ? kindOfName(name) : undefined;
}
