import { resolve } from 'node:path';
import type { LiveRequest } from '../../../control/control-protocol.ts';
import { readRequest } from '../../../control/read-request.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { findFault } from '../../../json/scan.ts';
import { ReelError } from '../../../model/errors.ts';
import { oneLine } from '../../../present/visible-text.ts';

/** How much of a wrong value an error quotes. */
const MAX_SHOWN = 80;

/** The control request for an action: its type, and its members by the names that they have in a line of input. */
interface OrderTranslation {
  readonly type: LiveRequest['type'];
  readonly members: Readonly<Record<string, string>>;
  /** Exactly one of these must be given. */
  readonly either?: readonly [string, string];
}

const SENT = { message: 'text', text: 'text', confirm: 'confirmed' } as const;

const TRANSLATIONS: Readonly<Record<string, OrderTranslation>> = {
  forward: { type: 'decide', members: { id: 'id' } },
  edit: { type: 'decide', members: { id: 'id', ...SENT }, either: ['message', 'text'] },
  drop: { type: 'decide', members: { id: 'id' } },
  answer: { type: 'decide', members: { id: 'id', result: 'result', error: 'error' }, either: ['result', 'error'] },
  inject: {
    type: 'inject',
    members: { direction: 'direction', conversation: 'conversation', ...SENT },
    either: ['message', 'text'],
  },
  mode: { type: 'mode', members: { mode: 'mode', filter: 'filter' } },
  save: { type: 'save', members: { path: 'path' } },
};

/** These members are sent as their exact JSON text, all others as their value. */
const EXACT: ReadonlySet<string> = new Set(['message', 'result', 'error']);

/** A line of standard input as a control request. */
export interface HoldOrder {
  readonly action: string;
  readonly request: LiveRequest;
}

/** Translates a line. `claim` returns the id of the held message that is meant. Throws if the line is invalid. */
export function readOrder(line: string, claim: (id: string | undefined) => string): HoldOrder {
  const order = ObjectView.of(line);
  if (order === undefined) throw notAnObject(line);
  const action = order.has('action') ? order.value('action') : order.has('mode') ? 'mode' : undefined;
  const translation =
    typeof action === 'string' && Object.hasOwn(TRANSLATIONS, action) ? TRANSLATIONS[action] : undefined;
  if (typeof action !== 'string' || translation === undefined) {
    throw wrong(`\`action\` must be one of ${Object.keys(TRANSLATIONS).join(', ')}${given(order)}`);
  }
  const { type, members, either } = translation;
  const request: Record<string, unknown> = { type, action };
  for (const { key } of order.members) {
    const name = Object.hasOwn(members, key) ? members[key] : undefined;
    if (name !== undefined) request[name] = EXACT.has(key) ? order.textOf(key) : order.value(key);
    else if (key !== 'action') throw wrong(`Unknown key \`${key}\` for action ${action}`);
  }
  if (either !== undefined && order.has(either[0]) === order.has(either[1])) {
    throw wrong(`Action ${action} needs either \`${either[0]}\` or \`${either[1]}\``);
  }
  if (typeof request.path === 'string') request.path = resolve(request.path);
  if (type === 'decide' && (request.id === undefined || typeof request.id === 'string')) request.id = claim(request.id);
  return { action, request: requestOf(request, members) };
}

/** The wrong action of a line, for its error. */
function given(order: ObjectView): string {
  const text = order.textOf('action');
  return text === undefined ? '' : `, got ${oneLine(text.slice(0, MAX_SHOWN))}`;
}

/** Validates a request. An error names its members as in the line. */
function requestOf(request: Readonly<Record<string, unknown>>, members: OrderTranslation['members']): LiveRequest {
  try {
    return readRequest(request);
  } catch (error) {
    const named = (name: string): string => Object.keys(members).findLast((key) => members[key] === name) ?? name;
    throw wrong((error as Error).message.replace(/^`(\w+)`/, (_, name: string) => `\`${named(name)}\``));
  }
}

function notAnObject(line: string): ReelError {
  const fault = findFault(line);
  const where = fault === undefined ? '' : ` (column ${fault + 1})`;
  return new ReelError('usage', `Not a JSON object${where}`, { hint: 'Write a decision like {"action":"forward"}.' });
}

function wrong(what: string): ReelError {
  return new ReelError('usage', what);
}
