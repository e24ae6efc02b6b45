import { ReelError } from '../../model/errors.ts';

/** A usage error at a position in a filter, always on one line. The column counts characters from 1. */
export function filterFault(filter: string, at: number, what: string, hint?: string, cause?: unknown): ReelError {
  const column = Array.from(filter.slice(0, at)).length + 1;
  const reported = what.replaceAll(/[\r\n]+/g, ' ');
  return new ReelError('usage', `${reported} (column ${column})`, { ...(hint !== undefined && { hint }), cause });
}
