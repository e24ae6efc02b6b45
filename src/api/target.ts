import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ReelError } from '../model/errors.ts';
import type { TargetChoice } from '../transport/outbound/connect-target.ts';
import { splitTypedCommand } from '../transport/process/typed-command.ts';
import { assertKnown, usage } from './given-option.ts';

/**
 * A server that is started as a program.
 *
 * @example
 * ```ts
 * import { type CommandTarget, recordSession } from 'mcpreel';
 *
 * const server: CommandTarget = { command: ['node', 'server.js'], env: { LOG: 'debug' }, cwd: '.' };
 * const recording = await recordSession(server);
 * await recording.stop();
 * ```
 */
export interface CommandTarget {
  /** The command as a list of words, or as one string. A string is split like in a shell, but no shell runs. */
  readonly command: string | readonly string[];
  readonly url?: undefined;
  /** Environment variables to add to those of this process. Their values are never recorded. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The working folder. Default: that of this process. */
  readonly cwd?: string | undefined;
}

/**
 * A server that is reached by URL.
 *
 * @example
 * ```ts
 * import { replaySession, type UrlTarget } from 'mcpreel';
 *
 * const headers = { Authorization: `Bearer ${process.env.TOKEN}` };
 * const server: UrlTarget = { url: 'http://127.0.0.1:3000/mcp', headers };
 * const { summary } = await replaySession('session.json', server);
 * console.log(`${summary.matched} of ${summary.total} matched`);
 * ```
 */
export interface UrlTarget {
  /** The server's URL, with `http:` or `https:`. */
  readonly url: string | URL;
  readonly command?: undefined;
  /** The server's transport. Default: `streamable-http`. */
  readonly transport?: 'streamable-http' | 'sse' | undefined;
  /** Headers to send with every request. Their values are never recorded. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** CA certificates to trust, as PEM. Default: the system's. */
  readonly ca?: string | undefined;
  /** Whether to accept any certificate. Default: `false`. */
  readonly insecure?: boolean | undefined;
}

/**
 * The server: a program or a URL.
 *
 * @example
 * ```ts
 * import { replaySession, type TargetOptions } from 'mcpreel';
 *
 * const servers: readonly TargetOptions[] = [{ command: 'node server.js' }, { url: 'http://127.0.0.1:3000/mcp' }];
 * for (const server of servers) console.log((await replaySession('session.json', server)).matches);
 * ```
 */
export type TargetOptions = CommandTarget | UrlTarget;

/** Hop-by-hop and framing headers, which are set per request. A fixed value would break requests. */
const UNUSABLE = /^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade)$/i;

/**
 * Builds the target from the options. Invalid options are usage errors, because JavaScript callers have no type
 * checking.
 */
export function targetFrom(options: TargetOptions): TargetChoice {
  const { command, url } = options;
  if (command !== undefined && url !== undefined) {
    throw usage('The server is given twice', 'Pass its command or its url.');
  }
  if (command === undefined && url === undefined) {
    throw usage('No server given', "Pass its command, like ['node', 'server.js'], or its url.");
  }
  return command === undefined ? httpTarget(options as UrlTarget) : programTarget(options as CommandTarget);
}

function programTarget({ command, env = {}, cwd }: CommandTarget): TargetChoice {
  const words = typeof command === 'string' ? splitTypedCommand(command) : [...command];
  if (!words[0]) throw usage('The command is empty', "Write it like ['node', 'server.js'].");
  return { transport: 'stdio', command: words, env, cwd };
}

function httpTarget(options: UrlTarget): TargetChoice {
  const { transport = 'streamable-http', headers = {}, ca, insecure = false } = options;
  assertKnown('transport', transport, ['streamable-http', 'sse']);
  return { transport, url: addressFrom(options.url), headers: Object.entries(headers).map(headerFrom), ca, insecure };
}

function addressFrom(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usage(`Not an HTTP URL: ${String(given)}`, 'Write it like http://127.0.0.1:3000/mcp.');
  }
  if (url.username !== '' || url.password !== '') {
    throw usage('The url contains a password', 'Send it with headers: { Authorization: … } instead.');
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
  if (UNUSABLE.test(name)) throw usage(`The header ${name} would break requests`, 'Remove it.');
  return [name, value];
}
