import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChallenges } from './auth-challenge.ts';

const asData = (header: string): [string, Record<string, string>][] =>
  parseChallenges(header).map(({ scheme, params }) => [scheme, Object.fromEntries(params)]);

describe('parseChallenges', () => {
  it('reads quoted and bare parameters, with or without spaces around the equals sign', () => {
    expect(asData('Bearer realm="x", scope = "a b",error=invalid_token')).toEqual([
      ['Bearer', { realm: 'x', scope: 'a b', error: 'invalid_token' }],
    ]);
  });

  it('never treats text inside quotes as a parameter', () => {
    const header = 'Bearer realm="try scope=admin", resource_metadata="https://x/.well-known/oauth-protected-resource"';
    expect(asData(header)).toEqual([
      ['Bearer', { realm: 'try scope=admin', resource_metadata: 'https://x/.well-known/oauth-protected-resource' }],
    ]);
  });

  it('reads several challenges in one value', () => {
    expect(asData('Basic realm="a, b", Bearer scope="read", Negotiate')).toEqual([
      ['Basic', { realm: 'a, b' }],
      ['Bearer', { scope: 'read' }],
      ['Negotiate', {}],
    ]);
  });

  it('matches parameter names in any case and unescapes quoted values', () => {
    expect(asData('Bearer Scope="a \\"b\\" \\\\ c"')).toEqual([['Bearer', { scope: 'a "b" \\ c' }]]);
  });

  it('skips a token68 and a parameter before any scheme', () => {
    expect(asData('Basic YWJj==, Bearer scope=x')).toEqual([
      ['Basic', {}],
      ['Bearer', { scope: 'x' }],
    ]);
    expect(asData('scope="x"')).toEqual([]);
  });

  it('returns a list for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(parseChallenges(text))));
  });
});
