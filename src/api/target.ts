import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { BridgeCaptureOptions } from '../capture/capture-options.ts';
import { ReelError } from '../model/errors.ts';
import { splitTypedCommand } from '../transport/process/typed-command.ts';
import { assertKnown, usage } from './given-option.ts';

/** A server that is a program. */
export interface CommandTarget {
  /** Its words; or one text, which is split as a shell would, though none runs. */
  readonly command: string | readonly string[];
  readonly url?: undefined;
  /** Variables beside those of this process; none if absent. Their values are never recorded. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder that it runs in; that of this process if absent. */
  readonly cwd?: string | undefined;
}

/** A server that has an address. */
export interface UrlTarget {
  /** Its address, with `http:` or `https:`. */
  readonly url: string | URL;
  readonly command?: undefined;
  /** What it speaks; `streamable-http` if absent. */
  readonly transport?: 'streamable-http' | 'sse' | undefined;
  /** Sent with every request; none if absent. Their values are never recorded. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Certificates to trust, as PEM; the system's if absent. */
  readonly ca?: string | undefined;
  /** Whether any certificate will do; `false` if absent. */
  readonly insecure?: boolean | undefined;
}

/** The server that is meant: a program or an address. */
export type TargetOptions = CommandTarget | UrlTarget;

/** Headers that belong to each request, and would break it. */
const UNUSABLE = /^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade)$/i;

/** The server that options name. Anything else is a usage error: who writes JavaScript is told here what types tell others. */
export function targetFrom(options: TargetOptions): BridgeCaptureOptions['target'] {
  const { command, url } = options;
  if (command !== undefined && url !== undefined) {
    throw usage('The server is given twice', 'Give its command or its url.');
  }
  if (command === undefined && url === undefined) {
    throw usage('No server given', "Give its command, like ['node', 'server.js'], or its url.");
  }
  return command === undefined ? httpTarget(options as UrlTarget) : programTarget(options as CommandTarget);
}

function programTarget({ command, env = {}, cwd }: CommandTarget): BridgeCaptureOptions['target'] {
  const words = typeof command === 'string' ? splitTypedCommand(command) : [...command];
  if (!words[0]) throw usage('The command is empty', "Write it like ['node', 'server.js'].");
  return { transport: 'stdio', command: words, env, cwd };
}

function httpTarget(options: UrlTarget): BridgeCaptureOptions['target'] {
  const { transport = 'streamable-http', headers = {}, ca, insecure = false } = options;
  assertKnown('transport', transport, ['streamable-http', 'sse']);
  return { transport, url: addressFrom(options.url), headers: Object.entries(headers).map(headerFrom), ca, insecure };
}

function addressFrom(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usage(`Not an HTTP address: ${String(given)}`, 'Write it like http://127.0.0.1:3000/mcp.');
  }
  if (url.username !== '' || url.password !== '') {
    throw usage('The url holds a password', 'Send it with headers: { Authorization: … } instead.');
  }
  return url;
}

function headerFrom([name, value]: [string, string]): readonly [string, string] {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (cause) {
    throw new ReelError('usage', `Not a header: ${name}`, { hint: 'Write { Authorization: "Bearer …" }.', cause });
  }
  if (UNUSABLE.test(name)) throw usage(`The header ${name} would break requests`, 'Leave it out.');
  return [name, value];
}
