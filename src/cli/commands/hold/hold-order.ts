import type { Injection, RequestedDecision } from '../../../control/session-control.ts';
import type { InterceptMode } from '../../../intercept/held-message.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { findFault } from '../../../json/scan.ts';
import type { Direction } from '../../../model/entry.ts';
import { ReelError } from '../../../model/errors.ts';

/** The command in a line of standard input. */
export type HoldOrder =
  | { readonly action: 'decide'; readonly id: string | undefined; readonly requested: RequestedDecision }
  | { readonly action: 'inject'; readonly injection: Injection }
  | { readonly action: 'mode'; readonly mode: InterceptMode; readonly filter: string | undefined }
  | { readonly action: 'save'; readonly path: string | undefined };

/** The members that a line may have besides its action. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  forward: ['id'],
  edit: ['id', 'message', 'text', 'confirm'],
  drop: ['id'],
  answer: ['id', 'result', 'error'],
  inject: ['direction', 'message', 'text', 'confirm', 'conversation'],
  mode: ['mode', 'filter'],
  save: ['path'],
};

/** Parses a line. Messages in it keep their exact text. Throws if the line is invalid. */
export function readOrder(line: string): HoldOrder {
  const order = ObjectView.of(line);
  if (order === undefined) throw notAnObject(line);
  const action = stringIn(order, 'action') ?? (order.has('mode') ? 'mode' : undefined);
  const members = action !== undefined && Object.hasOwn(MEMBERS, action) ? MEMBERS[action] : undefined;
  if (action === undefined || members === undefined) {
    throw wrong(`\`action\` must be one of ${Object.keys(MEMBERS).join(', ')}`);
  }
  for (const { key } of order.members) {
    if (key !== 'action' && !members.includes(key)) throw wrong(`\`${key}\` has no meaning for ${action}`);
  }
  return orderFor(action, order);
}

function orderFor(action: string, order: ObjectView): HoldOrder {
  const id = stringIn(order, 'id');
  switch (action) {
    case 'forward':
    case 'drop':
      return { action: 'decide', id, requested: { action } };
    case 'edit':
      return { action: 'decide', id, requested: { action, ...sentText(order) } };
    case 'answer':
      return { action: 'decide', id, requested: answerIn(order) };
    case 'inject':
      return {
        action,
        injection: { direction: directionIn(order), ...sentText(order), conversation: conversationIn(order) },
      };
    case 'mode':
      return { action, mode: modeIn(order), filter: stringIn(order, 'filter') };
    default:
      return { action: 'save', path: stringIn(order, 'path') };
  }
}

/** `message` is used as its exact JSON text, `text` as the content of the string. */
function sentText(order: ObjectView): { readonly text: string; readonly confirmed: boolean } {
  const [message, text] = [order.textOf('message'), stringIn(order, 'text')];
  if ((message === undefined) === (text === undefined)) throw wrong('There must be either `message` or `text`');
  return { text: message ?? text ?? '', confirmed: order.value('confirm') === true };
}

function answerIn(order: ObjectView): RequestedDecision {
  const [result, error] = [order.textOf('result'), order.textOf('error')];
  if (result !== undefined && error === undefined) return { action: 'answer', result };
  if (error !== undefined && result === undefined) return { action: 'answer', error };
  throw wrong('There must be either `result` or `error`');
}

function directionIn(order: ObjectView): Direction {
  const direction = stringIn(order, 'direction');
  if (direction === 'client_to_server' || direction === 'server_to_client') return direction;
  throw wrong('`direction` must be client_to_server or server_to_client');
}

/** Without `conversation`, the session chooses the receiver. An invalid value throws instead of counting as absent. */
function conversationIn(order: ObjectView): number | undefined {
  const conversation = order.number('conversation');
  if (conversation === undefined && order.has('conversation')) throw wrong('`conversation` must be a number');
  return conversation;
}

function modeIn(order: ObjectView): InterceptMode {
  const mode = stringIn(order, 'mode');
  if (mode === 'passthrough' || mode === 'intercept') return mode;
  throw wrong('`mode` must be passthrough or intercept');
}

function stringIn(order: ObjectView, key: string): string | undefined {
  const value = order.string(key);
  if (value === undefined && order.has(key)) throw wrong(`\`${key}\` must be a string`);
  return value;
}

function notAnObject(line: string): ReelError {
  const fault = findFault(line);
  const where = fault === undefined ? '' : ` (column ${fault + 1})`;
  return new ReelError('usage', `Not a JSON object${where}`, { hint: 'Say what to do like {"action":"forward"}.' });
}

function wrong(what: string): ReelError {
  return new ReelError('usage', what);
}
