// A package registry on this machine: it serves the packages packed here and forwards every other request to the
// registry that npm is configured for. Package managers install from it as they would from the public registry.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Serves a tarball with its package.json, and more packages in `others`, on a free port of 127.0.0.1.
 *
 * `upstream` is the address of the registry for all other packages.
 */
export async function startRegistry({ tarball, manifest, upstream, others = [] }) {
  const packages = [{ tarball, manifest }, ...others].map((own) => ({ ...own, bytes: readFileSync(own.tarball) }));
  let url = '';
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url, 'http://localhost');
    const about = packages.find((own) => pathname === `/${own.manifest.name}`);
    if (about !== undefined) return send(response, 'application/json', JSON.stringify(packumentOf(about, url)));
    const file = packages.find((own) => pathname === tarballPath(own));
    if (file !== undefined) return send(response, 'application/octet-stream', file.bytes);
    passOn(request, response, new URL(`.${pathname}${search}`, withSlash(upstream)), url).catch((error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(error.message);
    });
  });

  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function packumentOf({ tarball, manifest, bytes }, url) {
  const dist = {
    tarball: `${url}${tarballPath({ tarball, manifest })}`,
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
  };
  return {
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
    // Some clients refuse versions that were published moments ago.
    time: { [manifest.version]: '2026-01-01T00:00:00.000Z' },
  };
}

function tarballPath({ tarball, manifest }) {
  return `/${manifest.name}/-/${basename(tarball)}`;
}

function send(response, type, body) {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

/**
 * Rewrites tarball addresses to this registry. Some versions of npm change the host of these addresses but not the
 * scheme.
 */
async function passOn({ method, headers }, response, address, url) {
  if (method !== 'GET' && method !== 'HEAD') return response.writeHead(404).end();
  const { accept = '*/*', 'user-agent': agent = 'mcpreel' } = headers;
  const answer = await fetch(address, { method, headers: { accept, 'user-agent': agent } });
  const type = answer.headers.get('content-type') ?? 'application/octet-stream';
  if (type.includes('json')) {
    const text = await answer.text();
    const body = text.replaceAll(/("tarball":\s*")https?:\/\/[^/"]+/g, `$1${url}`);
    return response.writeHead(answer.status, { 'content-type': type }).end(body);
  }
  response.writeHead(answer.status, { 'content-type': type });
  if (answer.body === null) return response.end();
  await pipeline(Readable.fromWeb(answer.body), response);
}

function withSlash(address) {
  return address.endsWith('/') ? address : `${address}/`;
}
