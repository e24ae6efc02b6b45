/** The origin of an HTTP request, according to the browser that sent it. */
export type FetchSite = 'here' | 'followed-link' | 'elsewhere';

/**
 * Reads the `Sec-Fetch-*` headers that browsers send with every request. Images, scripts and frames are fetched without
 * `Origin`, but not without these headers. A followed link is an action of the user. Programs other than browsers send
 * no such header and count as `here`.
 */
export function fetchSite(header: (name: string) => string | undefined): FetchSite {
  const site = header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return 'here';
  const isFollowedLink = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
  return isFollowedLink ? 'followed-link' : 'elsewhere';
}
