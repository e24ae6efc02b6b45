import { isAbsolute } from 'node:path';
import type { InterceptMode } from '../intercept/held-message.ts';
import type { Direction } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import type { LiveRequest, RequestRef } from './control-protocol.ts';
import type { RequestedDecision } from './session-control.ts';

type RequestMembers = Readonly<Record<string, unknown>>;

const MAX_REF = 200;

/** The `ref` of a request; `undefined` if it is missing, too long or of another type. */
export function refIn({ ref }: RequestMembers): RequestRef | undefined {
  if (typeof ref === 'number') return ref;
  return typeof ref === 'string' && ref.length <= MAX_REF ? ref : undefined;
}

/** Validates a control request. Throws if it is malformed. */
export function readRequest(members: RequestMembers): LiveRequest {
  const { type } = members;
  switch (type) {
    case 'follow':
      return { type, from: optionalCount(members, 'from') };
    case 'control':
    case 'held':
    case 'end':
      return { type };
    case 'mode':
      return { type, mode: modeIn(members), filter: optionalString(members, 'filter') };
    case 'decide':
      return { type, id: string(members, 'id'), ...decisionIn(members) };
    case 'inject':
      return {
        type,
        direction: directionIn(members),
        text: string(members, 'text'),
        conversation: optionalCount(members, 'conversation'),
        confirmed: optionalBoolean(members, 'confirmed'),
      };
    case 'save':
      return { type, path: pathIn(members) };
    default:
      throw unfit('type', 'follow, control, mode, held, decide, inject, save or end');
  }
}

function decisionIn(members: RequestMembers): RequestedDecision {
  const { action } = members;
  switch (action) {
    case 'forward':
    case 'drop':
      return { action };
    case 'edit':
      return { action, text: string(members, 'text'), confirmed: optionalBoolean(members, 'confirmed') };
    case 'answer': {
      const [result, error] = [optionalString(members, 'result'), optionalString(members, 'error')];
      if (result !== undefined && error === undefined) return { action, result };
      if (error !== undefined && result === undefined) return { action, error };
      throw new ReelError('usage', 'An answer needs either `result` or `error`, the text of one as a string');
    }
    default:
      throw unfit('action', 'forward, edit, drop or answer');
  }
}

function modeIn({ mode }: RequestMembers): InterceptMode {
  if (mode === 'passthrough' || mode === 'intercept') return mode;
  throw unfit('mode', 'passthrough or intercept');
}

function directionIn({ direction }: RequestMembers): Direction {
  if (direction === 'client_to_server' || direction === 'server_to_client') return direction;
  throw unfit('direction', 'client_to_server or server_to_client');
}

function pathIn(members: RequestMembers): string | undefined {
  const path = optionalString(members, 'path');
  // The session and the client may run in different folders.
  if (path !== undefined && !isAbsolute(path)) throw unfit('path', 'absolute');
  return path;
}

function string(members: RequestMembers, key: string): string {
  const value = optionalString(members, key);
  if (value === undefined) throw unfit(key, 'a string');
  return value;
}

function optionalString(members: RequestMembers, key: string): string | undefined {
  const value = members[key];
  if (value === undefined || typeof value === 'string') return value;
  throw unfit(key, 'a string');
}

function optionalBoolean(members: RequestMembers, key: string): boolean | undefined {
  const value = members[key];
  if (value === undefined || typeof value === 'boolean') return value;
  throw unfit(key, 'true or false');
}

function optionalCount(members: RequestMembers, key: string): number | undefined {
  const value = members[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw unfit(key, 'a whole number');
}

function unfit(key: string, requested: string): ReelError {
  return new ReelError('usage', `\`${key}\` must be ${requested}`);
}
