import { writeStep } from '../../json/json-path.ts';
import type { JsonText } from '../../model/entry.ts';
import { compareNodes } from '../diff/compare-answers.ts';
import { textOf, type ValueNode } from '../diff/value-tree.ts';
import type { Profile } from '../import/profile.ts';
import { type Contract, type ContractListing, type ContractSubject, type ServerOffer, stringIn } from './contract.ts';
import { compareSchemas, type SchemaChange } from './schema-changes.ts';

/** One difference between two contracts. */
export interface ContractDifference {
  readonly subject: ContractSubject | 'server';
  /** The name of a tool or prompt, or the URI of a resource. For the server, the member of its introduction. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Whether the change may break a client that relied on the old contract. */
  readonly breaking: boolean;
  /** The path in the definition, for a change. */
  readonly path: string | undefined;
  readonly detail: string;
  readonly a: JsonText | undefined;
  readonly b: JsonText | undefined;
  /** The sequences of the messages that contain the definitions. */
  readonly messages: { readonly a: readonly number[]; readonly b: readonly number[] };
}

/** A change within a definition. */
type ContractChange = Pick<ContractDifference, 'breaking' | 'detail' | 'a' | 'b'> & { readonly path: string };

/** Compares two contracts. Only parts that both sessions contain can be compared. */
export function compareContracts(a: Contract, b: Contract, profile: Profile): ContractDifference[] {
  const ofServer = [...a.server].flatMap(([name, was]) => {
    const is = b.server.get(name);
    return is === undefined ? [] : changed('server', name, was, is, serverChanges(name, was.node, is.node));
  });
  const ofListings = [...a.listings].flatMap(([subject, was]) => {
    const is = b.listings.get(subject);
    return is === undefined ? [] : compareListings(subject, was, is);
  });
  const found = [...ofServer, ...ofListings];
  return profile === 'shape' ? found.filter((difference) => !isRemark(difference)) : found;
}

/** Whether a difference is only in text for people, which has no shape. */
function isRemark({ path, name, subject }: ContractDifference): boolean {
  return subject === 'server' ? name === 'instructions' : /\.(?:title|description)$/.test(path ?? '');
}

function compareListings(subject: ContractSubject, a: ContractListing, b: ContractListing): ContractDifference[] {
  const names = new Set([...a.offers.keys(), ...b.offers.keys()]);
  return [...names].flatMap((name): ContractDifference[] => {
    const [was, is] = [a.offers.get(name), b.offers.get(name)];
    if (was && is) return changed(subject, name, was, is, offerChanges(subject, was.node, is.node));
    const isKnown = was === undefined ? a.isComplete : b.isComplete;
    return isKnown ? [oneSided(subject, name, was, is)] : [];
  });
}

function oneSided(
  subject: ContractSubject,
  name: string,
  a: ServerOffer | undefined,
  b: ServerOffer | undefined,
): ContractDifference {
  const change = b === undefined ? 'removed' : 'added';
  return {
    subject,
    name,
    change,
    breaking: change === 'removed',
    path: undefined,
    detail: change,
    a: a && textOf(a.node),
    b: b && textOf(b.node),
    messages: { a: a ? [a.sequence] : [], b: b ? [b.sequence] : [] },
  };
}

function changed(
  subject: ContractSubject | 'server',
  name: string,
  { sequence: inA }: ServerOffer,
  { sequence: inB }: ServerOffer,
  changes: readonly ContractChange[],
): ContractDifference[] {
  const messages = { a: [inA], b: [inB] };
  return changes.map((change) => ({ subject, name, change: 'changed', ...change, messages }));
}

/**
 * The changes to a definition. Besides promised result types, only a tool's schemas and a prompt's arguments can break
 * a client.
 */
function offerChanges(subject: ContractSubject, a: ValueNode, b: ValueNode): ContractChange[] {
  if (a.identity === b.identity) return [];
  const keys = new Set([...a.members.keys(), ...b.members.keys()]);
  return [...keys].flatMap((key): ContractChange[] => {
    const [was, is] = [a.members.get(key), b.members.get(key)];
    const path = `$${writeStep(key)}`;
    if (was?.identity === is?.identity) return [];
    if (subject === 'tool' && key === 'inputSchema' && was && is) return schemaChanges(was, is, path, 'narrows');
    if (subject === 'tool' && key === 'outputSchema' && was && is) return schemaChanges(was, is, path, 'widens');
    if (subject === 'prompt' && key === 'arguments') return argumentChanges(was, is, path);
    const isPromise = key === 'outputSchema' || key === 'mimeType';
    return valueChanges(was, is, path, () => isPromise && was !== undefined);
  });
}

/**
 * A client sends arguments, so a narrower input schema breaks it. It receives results, so a wider output schema breaks
 * it.
 */
function schemaChanges(a: ValueNode, b: ValueNode, path: string, breaks: 'narrows' | 'widens'): ContractChange[] {
  return compareSchemas(a, b, path).map((change: SchemaChange) => ({
    path: change.path,
    detail: change.detail,
    breaking: change[breaks],
    a: change.a && textOf(change.a),
    b: change.b && textOf(change.b),
  }));
}

function argumentChanges(a: ValueNode | undefined, b: ValueNode | undefined, path: string): ContractChange[] {
  const [inA, inB] = [namedArguments(a), namedArguments(b)];
  return [...new Set([...inA.keys(), ...inB.keys()])].flatMap((name): ContractChange[] => {
    const [was, is] = [inA.get(name), inB.get(name)];
    const place = path + writeStep(name);
    const isNeeded = is !== undefined && isRequired(is);
    if (was === undefined) {
      return valueChanges(was, is, place, () => isNeeded, isNeeded ? 'added, required' : 'added, optional');
    }
    if (is === undefined) return valueChanges(was, is, place, () => true);
    return valueChanges(was, is, place, (inner) => inner.endsWith('.required') && isNeeded);
  });
}

function namedArguments(list: ValueNode | undefined): ReadonlyMap<string, ValueNode> {
  return new Map(
    list?.elements.flatMap((node): [string, ValueNode][] => {
      const name = node.members.get('name');
      return name === undefined ? [] : [[stringIn(name), node]];
    }),
  );
}

function isRequired({ members }: ValueNode): boolean {
  const required = members.get('required');
  return required !== undefined && textOf(required) === 'true';
}

/**
 * A capability that is removed or turned off breaks clients that used it, and so does a revision that is no longer
 * supported.
 */
function serverChanges(name: string, a: ValueNode, b: ValueNode): ContractChange[] {
  if (name !== 'supportedVersions') {
    return valueChanges(a, b, '$', (_, was, is) => {
      return name === 'capabilities' && (is === undefined || (was === 'true' && is === 'false'));
    });
  }
  const lost = a.elements.some(({ identity }) => !b.elements.some((other) => other.identity === identity));
  return a.identity === b.identity
    ? []
    : [{ path: '$', detail: 'changed', breaking: lost, a: textOf(a), b: textOf(b) }];
}

function valueChanges(
  a: ValueNode | undefined,
  b: ValueNode | undefined,
  path: string,
  breaks: (path: string, a: JsonText | undefined, b: JsonText | undefined) => boolean,
  detail?: string,
): ContractChange[] {
  if (a === undefined || b === undefined) {
    const [was, is] = [a && textOf(a), b && textOf(b)];
    return [{ path, detail: detail ?? whatHappened(was, is), breaking: breaks(path, was, is), a: was, b: is }];
  }
  return compareNodes(a, b, path, { profile: 'semantic' }).map(({ path: place, recorded, replayed }) => {
    const what = detail ?? whatHappened(recorded, replayed);
    return { path: place, detail: what, breaking: breaks(place, recorded, replayed), a: recorded, b: replayed };
  });
}

function whatHappened(a: JsonText | undefined, b: JsonText | undefined): string {
  if (a === undefined) return 'added';
  return b === undefined ? 'removed' : 'changed';
}
