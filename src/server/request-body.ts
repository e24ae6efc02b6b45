import type { Context } from 'hono';
import { ReelError } from '../model/errors.ts';

export type BodyMembers = Readonly<Record<string, unknown>>;

/** An edited message may be as large as any other message. */
export const MAX_BODY_BYTES: number = 1 << 26;

/** Parses the request's body. Throws if it is not a JSON object. */
export async function membersIn(c: Context): Promise<BodyMembers> {
  try {
    const value: unknown = await c.req.json();
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as BodyMembers;
  } catch {
    // Reported below.
  }
  throw new ReelError('usage', 'The request is not a JSON object');
}

export function stringIn(members: BodyMembers, key: string): string {
  const value = members[key];
  if (typeof value !== 'string') throw new ReelError('usage', `\`${key}\` must be a string`);
  return value;
}
