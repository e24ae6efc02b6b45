import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { BoundedBody } from '../../../src/capture/http/bounded-body.ts';
import { parseChallenges } from '../../../src/protocol/auth-challenge.ts';
import { decoderFor } from '../../../src/proxy/http/content-decoder.ts';
import {
  endToEnd,
  hasBody,
  headerOf,
  headerPairs,
  isEventStream,
  mayHoldMessages,
} from '../../../src/proxy/http/http-headers.ts';
import { rewriteChallenge, rewriteResourceMetadata } from '../../../src/proxy/http/oauth-rewrite.ts';
import { judgeRequest } from '../../../src/transport/http/listener-guard.ts';
import { chunksOf } from '../../support/sample-texts.ts';
import { Random } from '../random.ts';
import { textSeeds } from '../seeds.ts';
import { hold, same, type Target } from '../target.ts';

const TOKEN = 'mR4-token-7f';

const headSeeds = (): Uint8Array[] =>
  textSeeds(
    `/mcp?token=${TOKEN}&a=b\nHost: 127.0.0.1:8080\nOrigin: http://localhost:3000\nConnection: keep-alive, X-Hop\nX-Hop: 1`,
    '/mcp?a=1&token=%6dR4-token&token\nhost: localhost\nContent-Type: application/json\nContent-Length: 7',
    '/\nHost: [::1]:1\nOrigin: null\nTransfer-Encoding: chunked\nConnection: close, transfer-encoding, host',
    '//evil.example/mcp\nHost: evil.example\nOrigin: http://127.0.0.1.evil.example\nMcpreel-Token: wrong',
    'WWW-Authenticate: Bearer realm="a, b=\\"c\\"", resource_metadata="https://target.example/.well-known/x?a=1#b", DPoP',
    'WWW-Authenticate: Bearer resource_metadata=https://target.example:443/x , scope="a b", Basic YWJj=',
    '{"resource":"https://target.example/mcp","authorization_servers":["https://other.example"],"\\u0072esource":"HTTPS://TARGET.EXAMPLE:443/\\u006dcp"}',
  );

const bodySeeds = (): Uint8Array[] => [
  ...textSeeds('gzip\n{"jsonrpc":"2.0"}', 'br, gzip\nx', 'identity\n{}', '__proto__\n{}', 'deflate,deflate\nabc'),
  Buffer.concat([Buffer.from('gzip\n'), gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}')]),
  Buffer.concat([Buffer.from('gzip, gzip\n'), gzipSync(gzipSync('a'.repeat(5000)))]),
];

/** Fuzzes the parts of HTTP heads and bodies that mcpreel parses itself. */
export const httpTargets: readonly Target[] = [
  { name: 'http-head', perSecond: 6000, seeds: headSeeds, check: checkHead },
  { name: 'http-body', perSecond: 1500, seeds: bodySeeds, check: checkBody },
];

function checkHead(input: Uint8Array): void {
  const text = Buffer.from(input).toString('latin1');
  const [url = '', ...lines] = text.split('\n');
  const raw = lines.flatMap((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]);
  const passed = endToEnd(raw);
  for (const name of ['connection', 'te', 'upgrade', 'keep-alive', 'proxy-connection']) {
    same(headerOf(passed, name), undefined, 'headers of one connection go no further');
  }
  for (const name of ['host', 'content-length', 'transfer-encoding']) {
    same(headerOf(passed, name), headerOf(raw, name), 'what frames a message is passed on');
  }
  same(headerPairs(raw).length, lines.length, 'every header is a pair');
  mayHoldMessages(raw);
  isEventStream(raw);
  hasBody(raw);
  checkGuard(url, raw);
  checkRewriting(text);
}

/** The guard admits only requests from this machine or with the token. */
function checkGuard(url: string, raw: readonly string[]): void {
  const [host, origin, token] = [headerOf(raw, 'host'), headerOf(raw, 'origin'), headerOf(raw, 'mcpreel-token')];
  const headers = {
    ...(host !== undefined && { host }),
    ...(origin !== undefined && { origin }),
    'mcpreel-token': token,
  };
  const request = { headers, rawHeaders: [...raw], url } as unknown as IncomingMessage;
  const open = judgeRequest(request, { host: '127.0.0.1' });
  if ('path' in open) {
    hold(isOwn(`http://${host}`), 'a host that is let in is this machine', () => host);
    hold(origin === undefined || isOwn(origin), 'an origin that is let in is this machine', () => origin);
    same(open.path, url, 'without a token the path stays');
  }
  const guarded = judgeRequest(request, { host: '0.0.0.0', token: TOKEN });
  if ('path' in guarded) {
    hold(
      [url, decoded(url), token].some((text) => text?.includes(TOKEN)),
      'who is let in knows the token',
      () => url,
    );
    const query = new URLSearchParams(/\?(.*)$/s.exec(guarded.path)?.[1] ?? '');
    hold(!query.getAll('token').includes(TOKEN), 'the token goes no further', () => guarded.path);
  }
}

function isOwn(url: string): boolean {
  return !URL.canParse(url) || /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);
}

function decoded(url: string): string {
  return url.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function checkRewriting(text: string): void {
  const [target, own] = ['https://target.example', 'http://127.0.0.1:9'];
  const challenge = rewriteChallenge(text, target, own);
  same(rewriteChallenge(challenge, own, 'http://127.0.0.1:9'), challenge, 'a challenge that is ours stays');
  if (!/target\.example/i.test(text.replaceAll('\\', ''))) same(challenge, text, 'a challenge of others stays');
  const named = (of: string): unknown => parseChallenges(of).map(({ scheme, params }) => [scheme, [...params.keys()]]);
  same(named(challenge), named(text), 'a challenge keeps its schemes and parameters');
  const metadata = rewriteResourceMetadata(text, target, own);
  if (metadata === undefined) return;
  const [before, after] = [JSON.parse(text), JSON.parse(metadata)] as Record<string, string>[];
  same(new URL(after?.resource ?? '').origin, own, 'the resource is at our address');
  same(
    new URL(after?.resource ?? '').href.slice(own.length),
    new URL(before?.resource ?? '').href.slice(target.length),
    'and keeps its path',
  );
  same({ ...after, resource: '' }, { ...before, resource: '' }, 'other metadata stays');
}

async function checkBody(input: Uint8Array): Promise<void> {
  const random = Random.of(input);
  const end = input.indexOf(0x0a);
  const encoding = Buffer.from(input.subarray(0, Math.max(0, end))).toString('latin1');
  const chunks = chunksOf(input.subarray(end + 1), random.cuts(input.length, 6));
  const [chunked, whole] = [await decode(encoding, chunks), await decode(encoding, [input.subarray(end + 1)])];
  // Whether data after the end of an encoded body matters depends on when it arrives.
  if (chunked !== 'failed' && whole !== 'failed') same(chunked, whole, 'a body says the same in any chunks');
  const [all, parts] = [new BoundedBody(50), new BoundedBody(50)];
  all.push(input);
  for (const chunk of chunksOf(input, random.cuts(input.length, 6))) parts.push(Buffer.from(chunk));
  same(plainly(parts.end()), plainly(all.end()), 'a bounded body is the same in any chunks');
}

const MAX_DECODED = 1 << 16;

function decode(encoding: string, chunks: readonly Uint8Array[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let [size, ends] = [0, 0];
    const parts: Uint8Array[] = [];
    const decoder = decoderFor(encoding, {
      limit: MAX_DECODED,
      onChunk: (chunk) => {
        parts.push(chunk);
        size += chunk.length;
        if (size > MAX_DECODED) reject(new Error('More was decoded than is allowed'));
      },
      onEnd: (error) => {
        if (++ends > 1) reject(new Error('A body ended twice'));
        else resolve(error === undefined ? Buffer.concat(parts).toString('latin1') : 'failed');
      },
    });
    if (decoder === undefined || decoder === 'unknown') {
      resolve(decoder);
      return;
    }
    for (const chunk of chunks) decoder.push(chunk);
    decoder.end();
  });
}

function plainly(body: ReturnType<BoundedBody['end']>): unknown {
  return 'sha256' in body ? body : Buffer.from(body).toString('latin1');
}
