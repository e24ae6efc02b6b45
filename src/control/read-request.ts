import { isAbsolute } from 'node:path';
import * as v from 'valibot';
import { ReelError } from '../model/errors.ts';
import type { LiveRequest, RequestRef } from './control-protocol.ts';

type RequestMembers = Readonly<Record<string, unknown>>;

const MAX_REF = 200;

/** How much of a wrong value an error quotes. */
const MAX_SHOWN = 80;

/** The `ref` of a request; `undefined` if it is missing, too long or of another type. */
export function refIn({ ref }: RequestMembers): RequestRef | undefined {
  if (typeof ref === 'number') return ref;
  return typeof ref === 'string' && ref.length <= MAX_REF ? ref : undefined;
}

const WHOLE = 'a whole number';
const text = v.string('a string');
const optionalText = v.optional(text);
const count = v.optional(v.pipe(v.number(WHOLE), v.safeInteger(WHOLE), v.minValue(0, WHOLE)));
const flag = v.optional(v.boolean('true or false'));
const decide = { type: v.literal('decide'), id: text };

const REQUEST = v.variant('type', [
  v.object({ type: v.picklist(['control', 'held', 'end']) }),
  v.object({ type: v.literal('follow'), from: count }),
  v.object({ type: v.literal('mode'), mode: v.picklist(['passthrough', 'intercept']), filter: optionalText }),
  v.variant('action', [
    v.object({ ...decide, action: v.picklist(['forward', 'drop']) }),
    v.object({ ...decide, action: v.literal('edit'), text, confirmed: flag }),
    v.object({ ...decide, action: v.literal('answer'), result: optionalText, error: optionalText }),
  ]),
  v.object({
    type: v.literal('inject'),
    direction: v.picklist(['client_to_server', 'server_to_client']),
    text,
    conversation: count,
    confirmed: flag,
  }),
  // The session and the client may run in different folders.
  v.object({ type: v.literal('save'), path: v.optional(v.pipe(text, v.check(isAbsolute, 'absolute'))) }),
]);

/** Validates a control request. Throws if it is malformed. */
export function readRequest(members: RequestMembers): LiveRequest {
  const parsed = v.safeParse(REQUEST, members, { abortEarly: true });
  if (!parsed.success) throw faultOf(parsed.issues[0]);
  const { output } = parsed;
  if (!('action' in output) || output.action !== 'answer') return output;
  const { result, error, ...answer } = output;
  if (result !== undefined && error === undefined) return { ...answer, result };
  if (error !== undefined && result === undefined) return { ...answer, error };
  throw new ReelError('usage', 'An answer needs either `result` or `error`, the text of one as a string');
}

function faultOf({ path, expected, message, type, received }: v.BaseIssue<unknown>): ReelError {
  const key = String(path?.[0]?.key);
  if (type === 'object') return new ReelError('usage', `\`${key}\` is missing`);
  const isChoice = type === 'variant' || type === 'picklist';
  return new ReelError(
    'usage',
    `\`${key}\` must be ${isChoice ? choiceOf(expected ?? '') : message}, got ${received.slice(0, MAX_SHOWN)}`,
  );
}

/** `("a" | "b" | "c")` as `a, b or c`. */
function choiceOf(expected: string): string {
  return expected
    .replaceAll(/[()"]/g, '')
    .replaceAll(' | ', ', ')
    .replace(/, (\w+)$/, ' or $1');
}
