/** Statuses whose `Location` names where the resource is instead. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The address that a response redirects to; `undefined` if it redirects nowhere.
 *
 * @param base The address of the request, which a relative `Location` refers to.
 */
export function redirectOf(status: number, location: string | undefined, base: string): URL | undefined {
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, base)) return undefined;
  return new URL(location, base);
}
