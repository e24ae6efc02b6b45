/** The recordings that `?trace=<a>;<b>` names. Only this page's own origin and HTTPS are taken. */
export function addressesIn(search: string, base: string): string[] {
  const named = new URLSearchParams(search).get('trace') ?? '';
  const page = new URL(base);
  return named
    .split(';')
    .filter((address) => address !== '')
    .map((address) => new URL(address, page))
    .filter(({ protocol, origin }) => protocol === 'https:' || origin === page.origin)
    .map(({ href }) => href);
}
