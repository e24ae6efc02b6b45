import type { Filter } from '../../analysis/filter/filter.ts';
import { ReelError } from '../../model/errors.ts';
import { cutText } from '../../present/text-head.ts';

const MAX_SHOWN = 100;

/** Parses the filter that a flag was given. The usage error for an invalid one names the flag and the filter. */
export async function filterOfFlag(flag: string, text: string): Promise<Filter> {
  const { loadFilter } = await import('../../analysis/filter/filter.ts');
  try {
    return await loadFilter(text);
  } catch (cause) {
    if (!(cause instanceof ReelError)) throw cause;
    const { code, message, hint } = cause;
    const reported = `${flag} "${cutText(text, MAX_SHOWN)}": ${message}`;
    throw new ReelError(code, reported, { ...(hint !== undefined && { hint }), cause });
  }
}
