import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from '../../../test/support/sample-texts.ts';
import { isResourceMetadataPath, rewriteChallenge, rewriteResourceMetadata } from './oauth-rewrite.ts';

const TARGET = 'https://mcp.example.com';
const OURS = 'http://127.0.0.1:4000';
const METADATA = '/.well-known/oauth-protected-resource/mcp';

const challenge = (value: string): string => rewriteChallenge(value, TARGET, OURS);
const metadata = (text: string): string | undefined => rewriteResourceMetadata(text, TARGET, OURS);

describe('a WWW-Authenticate challenge', () => {
  it('points the metadata URL to our origin, and changes nothing else', () => {
    expect(
      challenge(`Bearer error="invalid_token",  resource_metadata="${TARGET}${METADATA}?a=b#c", scope="x y"`),
    ).toBe(`Bearer error="invalid_token",  resource_metadata="${OURS}${METADATA}?a=b#c", scope="x y"`);
  });

  it.each([
    ['without quotes', `Bearer resource_metadata=${TARGET}/a,realm=b`, `Bearer resource_metadata=${OURS}/a,realm=b`],
    ['with space and capitals', `bearer Resource_Metadata = "${TARGET}"`, `bearer Resource_Metadata = "${OURS}"`],
    ['with a host in capitals', 'B resource_metadata="HTTPS://MCP.Example.COM/a"', `B resource_metadata="${OURS}/a"`],
    ['with the default port', `B resource_metadata="${TARGET}:443/a"`, `B resource_metadata="${OURS}/a"`],
    [
      'with escapes',
      String.raw`B resource_metadata="https:\/\/mcp.example.com\/a\"b"`,
      String.raw`B resource_metadata="${OURS}\/a\"b"`,
    ],
    ['without an end', `B resource_metadata="${TARGET}/a`, `B resource_metadata="${OURS}/a`],
    [
      'twice',
      `Basic realm="a, resource_metadata=b", Bearer resource_metadata="${TARGET}/a", DPoP resource_metadata="${TARGET}/b"`,
      `Basic realm="a, resource_metadata=b", Bearer resource_metadata="${OURS}/a", DPoP resource_metadata="${OURS}/b"`,
    ],
  ])('rewrites a challenge %s', (_, value, expected) => {
    expect(challenge(value)).toBe(expected);
  });

  it.each([
    `Bearer resource_metadata="https://auth.example.com${METADATA}"`,
    `Bearer resource_metadata="http://mcp.example.com/a"`,
    `Bearer resource_metadata="${TARGET}:8443/a"`,
    `Bearer resource_metadata="${TARGET}.evil.org/a"`,
    `Bearer resource_metadata="${TARGET}@evil.org/a"`,
    'Bearer resource_metadata="https://u:p@mcp.example.com/a"',
    'Bearer resource_metadata="https://mcp.example.com:99999/a"',
    'Bearer resource_metadata="/relative"',
    'Bearer resource_metadata=""',
    'Bearer resource_metadata=',
    'Bearer resource_metadata',
    `Bearer x_resource_metadata="${TARGET}/a", resource="${TARGET}/b"`,
    `Bearer realm="see resource_metadata=${TARGET}/a"`,
    String.raw`Bearer realm="\", resource_metadata=${TARGET}/a"`,
    'Basic dG9rZW4=',
    '',
  ])('leaves a challenge unchanged: %s', (value) => {
    expect(challenge(value)).toBe(value);
  });

  it('recognizes an origin with escapes, but only in quotes', () => {
    expect(challenge(`Bearer resource_metadata="\\${TARGET}/a\\"b"`)).toBe(`Bearer resource_metadata="${OURS}/a\\"b"`);
    expect(challenge(`Bearer resource_metadata=\\${TARGET}/a`)).toBe(`Bearer resource_metadata=\\${TARGET}/a`);
  });

  it('changes nothing but origins in any challenge', () => {
    const piece = fc.constantFrom(
      '"',
      '\\',
      ' ',
      ',',
      '=',
      'Bearer',
      'resource_metadata',
      'realm',
      `${TARGET}/a`,
      'é',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const value = pieces.join('');
        const rewritten = challenge(value);
        expect(challenge(rewritten)).toBe(rewritten);
        // The target's origin may contain escapes; ours does not.
        const hasEscapedOrigin = value.includes(`\\${TARGET}`);
        const read = (text: string): string => (hasEscapedOrigin ? text.replaceAll('\\', '') : text);
        expect(read(rewritten.replaceAll(OURS, TARGET))).toBe(read(value));
      }),
    );
  });

  it('handles very long malformed challenges', () => {
    for (const strange of ['a'.repeat(200_000), '"\\'.repeat(100_000), 'a= '.repeat(100_000), ' '.repeat(200_000)]) {
      expect(challenge(strange)).toBe(strange);
    }
  });
});

describe('protected resource metadata', () => {
  it('rewrites the resource to our origin, and keeps every other character', () => {
    const text = `{ "resource" : "${TARGET}/mcp",\n"authorization_servers":["${TARGET}"], "n":1.0 }\n`;
    expect(metadata(text)).toBe(`{ "resource" : "${OURS}/mcp",\n"authorization_servers":["${TARGET}"], "n":1.0 }\n`);
  });

  it.each([
    [String.raw`{"resource":"https:\/\/mcp.example.com\/mcp\u00e9"}`, String.raw`{"resource":"${OURS}\/mcp\u00e9"}`],
    [String.raw`{"resource":"\u0068ttps://MCP.example.com:443"}`, `{"resource":"${OURS}"}`],
    [`{"resource":"${TARGET}?a"}`, `{"resource":"${OURS}?a"}`],
  ])('rewrites the resource in any spelling: %s', (text, expected) => {
    expect(metadata(text)).toBe(expected);
  });

  it.each([
    '{"resource":"https://other.example.com/mcp"}',
    '{"resource":"https://mcp.example.com.evil.org/mcp"}',
    `{"a":{"resource":"${TARGET}"},"authorization_servers":["${TARGET}"]}`,
    `{"resource":["${TARGET}"]}`,
    `{"resource":"${TARGET}"`,
    `["resource","${TARGET}"]`,
    '<html></html>',
    '',
  ])('leaves metadata unchanged: %s', (text) => {
    expect(metadata(text)).toBeUndefined();
  });

  it('leaves any other text unchanged', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), jsonText), (text) => metadata(text) === undefined));
  });
});

describe('isResourceMetadataPath', () => {
  const path = '/.well-known/oauth-protected-resource';

  it.each([path, `${path}/`, `${path}/mcp`, `${path}/a/b?c`, `${path}?c`])('accepts %s', (of) => {
    expect(isResourceMetadataPath(of)).toBe(true);
  });

  it.each(['/', '/mcp', `${path}s`, '/.well-known/oauth-authorization-server', `/a${path}`, ''])('rejects %s', (of) => {
    expect(isResourceMetadataPath(of)).toBe(false);
  });
});
