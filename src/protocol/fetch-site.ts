/** Where a request comes from, as the browser says that makes it. */
export type FetchSite = 'here' | 'followed-link' | 'elsewhere';

/**
 * Reads what browsers say of every request. Images, scripts and frames are fetched without an origin, but not without this; a
 * link that is followed is the wish of whoever sits there. Programs that are no browsers say nothing, and are here.
 */
export function fetchSite(header: (name: string) => string | undefined): FetchSite {
  const site = header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return 'here';
  const isFollowedLink = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
  return isFollowedLink ? 'followed-link' : 'elsewhere';
}
