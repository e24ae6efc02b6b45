import type { PathState } from '../../json/json-path.ts';
import type { TextSpan } from '../../json/scan.ts';
import { isSecretHeader } from '../detect/header-values.ts';
import type { KeyLines } from '../detect/private-key.ts';
import { strengthOfName } from '../names/secret-names.ts';
import type { ProtectedFields } from './protected-fields.ts';

/** The keys of a name and its value in objects that hold one of each. */
export const PAIR_NAMES: ReadonlySet<string> = new Set([
  'name',
  'key',
  'header',
  'field',
  'parameter',
  'variable',
  'Name',
  'Key',
  'ParameterKey',
  'OutputKey',
  'label',
]);
export const PAIR_VALUES: ReadonlySet<string> = new Set([
  'value',
  'Value',
  'secretValue',
  'ParameterValue',
  'defaultValue',
  'OutputValue',
  'default',
]);

/** An open object or array. */
export interface ContainerLevel {
  readonly isObject: boolean;
  /** The offset of its bracket. */
  readonly start: number;
  readonly protectedFields: ProtectedFields;
  /** Whether its members may belong to the protocol. What tools take and give does not. */
  readonly isProtocol: boolean;
  /** Whether the user's patterns apply to all names in it, because a tool chose them. */
  readonly ownNames: boolean;
  readonly paths: PathState;
  /** Whether it contains HTTP headers. */
  readonly holdsHeaders: boolean;
  /** The name that the values of an array have in common. */
  readonly sharedName: string | undefined;
  /** Whether its elements alternate between header names and values. */
  readonly alternates: boolean;
  /** Whether each string in it is a secret, as in the data of a Kubernetes `Secret`. */
  readonly allSecret: boolean;
  key: string;
  index: number;
  /** How many times children were redacted without a look. */
  cuts: number;
  /** The name in a pair, or in an object with `name` and `value`. */
  name: string | undefined;
  /** The key of an object itself, and the element before the current one of an array. */
  readonly ownName: string | undefined;
  previous: string | undefined;
  /** The program that the arguments in an array are for. */
  program: string | undefined;
  /** A value in such an object that came before its name. */
  pending: TextSpan | undefined;
  /** Lines of a private key, if each line is an element. */
  keyLines: KeyLines | undefined;
}

/** Returns the name that a string is the value of. */
export function nameOfValue(level: ContainerLevel): string | undefined {
  if (level.alternates) return nameOfPair(level);
  if (!level.isObject) return level.sharedName;
  const { key, ownName } = level;
  if (PAIR_VALUES.has(key)) return level.name ?? ownName ?? key;
  // Under the name of a secret, hosts tell whose it is, and `Key` is a part of its name.
  if (ownName !== undefined && key.includes('.')) return strengthOfName(ownName) === undefined ? key : ownName;
  if (ownName !== undefined && key === 'token' && /^pag(?:e|ing|ination)$/i.test(ownName)) return 'page token';
  return ownName !== undefined && /^key$/i.test(key) ? `${ownName} ${key}` : key;
}

/** Returns the name before a value in a list that alternates between header names and values. */
function nameOfPair({ alternates, index, name }: ContainerLevel): string | undefined {
  return alternates && index % 2 === 1 ? name : undefined;
}

/** Like `nameOfPair`, but without headers that are secret by their names. More specific rules apply to those. */
export function plainNameOfPair(level: ContainerLevel | undefined): string | undefined {
  const name = level && nameOfPair(level);
  return name === undefined || isSecretHeader(name) ? undefined : name;
}
