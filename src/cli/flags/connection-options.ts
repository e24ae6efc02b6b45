import { readFileSync } from 'node:fs';
import { cannotRead } from '../../files/reason.ts';
import { ReelError } from '../../model/errors.ts';
import type { HttpTransport, ListenOptions } from '../../transport/http/http-listener.ts';
import { isLoopback } from '../../transport/http/loopback.ts';
import type { HttpTargetChoice } from '../../transport/outbound/connect-target.ts';
import { type CaptureFlagValues, LISTEN_FLAGS, TRANSPORTS } from './capture-flags.ts';
import { list, portIn, text, unknownValue, usage } from './flag-values.ts';

export type Transport = 'stdio' | HttpTransport;

/** The flags that apply to only one kind of target. */
export const HTTP_FLAGS: readonly string[] = [
  'target-url',
  'header',
  'ca',
  'insecure',
  'keep-host',
  'no-oauth-rewrite',
];
export const STDIO_FLAGS: readonly string[] = ['target-command', 'env', 'cwd', 'kill-after', 'orphan-after', 'drain'];
/** The flags that apply only if requests are forwarded unchanged. */
export const RELAY_FLAGS: readonly string[] = ['keep-host', 'no-oauth-rewrite'];
/** The flags that apply only if a client runs mcpreel as its server. */
export const WRAPPER_FLAGS: readonly string[] = ['orphan-after'];

const DEFAULT_PORT = 8080;

/** The transport of the target: as given, or derived from the URL or command. */
export function transportFrom(values: CaptureFlagValues, words: readonly string[]): Transport {
  const isNamedByUrl = text(values, 'target-url') !== undefined;
  const isNamedByCommand = text(values, 'target-command') !== undefined || words.length > 0;
  if (isNamedByUrl && isNamedByCommand) {
    throw usage('The server is given twice: as a URL and as a command', 'Remove one of them.');
  }
  const transport = known(values, 'transport') ?? (isNamedByUrl ? 'streamable-http' : 'stdio');
  if (transport === 'stdio' && isNamedByUrl) {
    throw usage('--transport stdio does not work with --target-url', 'Use streamable-http or sse.');
  }
  return transport;
}

/** Throws on flags that would have no effect. */
export function refuseFlags(values: CaptureFlagValues, names: readonly string[], why: string, hint: string): void {
  const given = names.find((name) => values[name] === true || (values[name] !== undefined && values[name] !== false));
  if (given !== undefined) throw usage(`--${given} ${why}`, hint);
}

/** How clients connect to mcpreel. */
export function listenFrom(
  values: CaptureFlagValues,
  target: Transport,
  atTerminal: boolean,
): { readonly transport: 'stdio' } | ListenOptions {
  const transport =
    known(values, 'listen-transport') ?? (target === 'stdio' && atTerminal ? 'streamable-http' : target);
  if (transport === 'stdio') {
    const others = LISTEN_FLAGS.filter((name) => name !== 'listen-transport');
    refuseFlags(values, others, 'needs clients that connect over HTTP', 'Add --listen-transport streamable-http.');
    return { transport };
  }
  const host = text(values, 'listen-host') ?? '127.0.0.1';
  if (host === '') throw usage('--listen-host is empty', 'Give an address, like 127.0.0.1.');
  const token = text(values, 'token');
  const allowsRemote = values['allow-remote'] === true;
  if (!isLoopback(host)) {
    if (!allowsRemote) {
      throw usage(`--listen-host ${host} is open to other machines`, 'Confirm with --allow-remote.');
    }
    if (token === undefined) throw usage('--allow-remote needs --token', 'Clients must send it with every request.');
  } else if (allowsRemote) {
    throw usage(`--allow-remote has no effect on ${host}`, 'Listen on another address, like --listen-host 0.0.0.0.');
  }
  if (token === '') throw usage('--token is empty', 'Choose one that is hard to guess.');
  const port = text(values, 'listen-port');
  return {
    transport,
    // By IP address, because a host name may resolve to another one.
    host: /^localhost$/i.test(host) ? '127.0.0.1' : host,
    port: port === undefined ? DEFAULT_PORT : portIn('listen-port', port),
    token,
  };
}

export function httpTargetFrom(
  values: CaptureFlagValues,
  words: readonly string[],
  transport: HttpTransport,
): HttpTargetChoice {
  const given = text(values, 'target-url');
  if (given === undefined) {
    const hint = 'Give its URL: --target-url http://…';
    throw words.length > 0
      ? usage(`--transport ${transport} does not work with a command`, hint)
      : usage('No server given', hint);
  }
  const ca = text(values, 'ca');
  const insecure = values.insecure === true;
  if (ca !== undefined && insecure) throw usage('--ca and --insecure cannot be used together', 'Remove one of them.');
  const url = addressFrom('target-url', given, 'http://127.0.0.1:3000/mcp');
  if ((ca !== undefined || insecure) && url.protocol !== 'https:') {
    throw usage(`--${insecure ? 'insecure' : 'ca'} has no effect on ${given}`, 'It works with https:// URLs only.');
  }
  return {
    transport,
    url,
    headers: list(values, 'header').map(headerFrom),
    ca: ca === undefined ? undefined : certificatesFrom(ca),
    insecure,
    keepsHost: values['keep-host'] === true,
    keepsOauth: values['no-oauth-rewrite'] === true,
  };
}

function known(values: CaptureFlagValues, name: string): Transport | undefined {
  const given = text(values, name);
  const transport = TRANSPORTS.find((candidate) => candidate === given);
  if (given !== undefined && transport === undefined) {
    throw unknownValue(`--${name}`, given, TRANSPORTS);
  }
  return transport;
}

export function addressFrom(flag: string, given: string, example: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // A text with these characters may contain a secret.
    const shown = /[@?]/.test(given) ? '…' : given || '""';
    throw usage(`--${flag} ${shown} is not an HTTP URL`, `Write it like ${example}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(`--${flag} contains a password`, 'Send it with --header "Authorization: …" instead.');
  }
  return url;
}

export function headerFrom(given: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(given) ?? [];
  if (name === undefined || value === undefined) {
    // The text after the name is probably a secret; without a colon, the whole text may be one.
    const [shown] = /^[A-Za-z-]{1,40}(?=[:=\s]|$)/.exec(given) ?? ['…'];
    throw usage(`--header ${shown} is not a header`, 'Write it like "Authorization: Bearer …".');
  }
  if (/^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade)$/i.test(name)) {
    throw usage(`--header ${name} would break requests`, 'Remove it: mcpreel sets it for each request.');
  }
  return [name, value.trimEnd()];
}

function certificatesFrom(path: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    throw cannotRead(`--ca ${path}`, error);
  }
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw new ReelError('file-unreadable', `--ca ${path} has no certificate`, { hint: 'The file must be PEM.' });
}
