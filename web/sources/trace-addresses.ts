/** The recordings that the page's address names: `?trace=<a>;<b>` to merge, `?diff=<a>;<b>` to compare. */
export interface TraceAddress {
  readonly compares: boolean;
  readonly addresses: readonly string[];
  /** Why a named recording is not opened, one sentence each. */
  readonly refusals: readonly string[];
}

/** Parses the query string. Addresses may be relative; only HTTPS and the page's own origin are allowed. */
export function choiceOf(search: string, base: string): TraceAddress {
  const named = { trace: addressesOf(search, 'trace'), diff: addressesOf(search, 'diff') };
  const compares = named.diff.length > 0;
  const judged = (compares ? named.diff : named.trace).map((address) => judge(address, new URL(base)));
  const refusals = judged.flatMap(({ refusal }) => refusal ?? []);
  if (compares && named.diff.length !== 2) {
    const count = named.diff.length === 1 ? 'one' : named.diff.length;
    refusals.push(`?diff= needs two recordings, got ${count}. Use ?diff=a;b`);
  }
  return { compares, addresses: judged.flatMap(({ href }) => href ?? []), refusals };
}

/** Semicolons separate addresses. A semicolon inside an address is written `%253B`, which is `%3B` at this point. */
function addressesOf(search: string, name: string): string[] {
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part.startsWith(`${name}=`))
    .flatMap((part) => decoded(part.slice(name.length + 1)).split(';'))
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

/** Unlike in a form, a plus is literal, because people paste addresses unencoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function judge(address: string, page: URL): { readonly href?: string; readonly refusal?: string } {
  if (!URL.canParse(address, page.href)) return { refusal: `Cannot open ${address}: not a URL.` };
  const url = new URL(address, page);
  const isOwn = url.protocol === page.protocol && url.origin === page.origin;
  if (url.protocol !== 'https:' && !isOwn) {
    return {
      refusal: `Cannot open ${address}: only https: URLs and this host are allowed.`,
    };
  }
  if (url.username !== '' || url.password !== '') {
    return { refusal: `Cannot open ${url.host}: browsers do not send passwords in URLs.` };
  }
  return { href: url.href };
}
