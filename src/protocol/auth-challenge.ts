/** One challenge of a `WWW-Authenticate` header. */
export interface AuthChallenge {
  readonly scheme: string;
  /** Parameters by lowercase name. */
  readonly params: ReadonlyMap<string, string>;
}

const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"?/sy;
const BETWEEN = /[\s,]+/y;
const OTHER = /[^\s,]+/y;

/**
 * Parses the challenges of a `WWW-Authenticate` header (RFC 9110, 11.6.1). One value may contain several challenges,
 * parameters may be quoted, and text inside quotes is never read as a parameter.
 */
export function parseChallenges(header: string): AuthChallenge[] {
  const challenges: { scheme: string; params: Map<string, string> }[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(header) ?? undefined;
    if (match !== undefined) at = pattern.lastIndex;
    return match;
  };
  while (at < header.length) {
    if (take(BETWEEN)) continue;
    const word = take(TOKEN)?.[0];
    if (word === undefined) {
      // Not part of the grammar: a stray quote, a bracket. Skip to the next separator.
      if (!take(QUOTED)) take(OTHER);
      continue;
    }
    const params = challenges.at(-1)?.params;
    if (!take(EQUALS)) {
      challenges.push({ scheme: word, params: new Map() });
      continue;
    }
    const value = take(QUOTED)?.[1]?.replaceAll(/\\(.)/gs, '$1') ?? take(TOKEN)?.[0];
    // Without a value it is a token68 (`Basic abc=`), not a parameter.
    if (value !== undefined) params?.set(word.toLowerCase(), value);
  }
  return challenges;
}
