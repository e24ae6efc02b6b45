import type { HttpListener, HttpTransport } from '../http/http-listener.ts';
import { type HeaderPair, HttpTarget } from '../http/http-target.ts';
import type { ShutdownPatience } from '../process/shutdown.ts';
import type { TargetProcess } from '../process/target-process.ts';
import { openSseLink } from './sse-link.ts';
import { openStdioLink } from './stdio-link.ts';
import { openStreamableLink } from './streamable-link.ts';
import type { TargetLink, TargetLinkEvents } from './target-link.ts';

/** A server that mcpreel starts as a child process. */
export interface StdioTargetOptions {
  readonly command: readonly string[];
  /** Environment variables for the server, in addition to mcpreel's own. Their values are never recorded. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly patience?: Partial<ShutdownPatience> | undefined;
  /** How long a leftover child process may keep the server's output open. */
  readonly drainMs?: number | undefined;
}

/** A server that is reached by URL. */
export interface HttpTargetChoice {
  readonly transport: HttpTransport;
  readonly url: URL;
  /** Added to every request, replacing the client's headers of the same name. Never recorded. */
  readonly headers: readonly HeaderPair[];
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
  /** Whether to accept any certificate. */
  readonly insecure?: boolean | undefined;
  /** Whether OAuth resource metadata is forwarded without rewriting. */
  readonly keepsOauth?: boolean | undefined;
  /** Whether the target receives the client's `Host` header. */
  readonly keepsHost?: boolean | undefined;
}

/** The server to connect to. */
export type TargetChoice = ({ readonly transport: 'stdio' } & StdioTargetOptions) | HttpTargetChoice;

export interface ConnectTargetOptions {
  readonly nowMs: () => number;
  /** Starts the server if it is a program, or returns the one that was already started. */
  readonly startTarget: () => Promise<TargetProcess>;
  readonly maxMessageBytes?: number | undefined;
  /** mcpreel's own listener, to which the target must not point. */
  readonly own?: Pick<HttpListener, 'port' | 'address'> | undefined;
  /** Called with each error of a request to a server that is reached by URL. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Returns the function that connects a conversation to the target, each with its own process or session. */
export function connectTarget(
  target: TargetChoice,
  { nowMs, startTarget, maxMessageBytes, own, onError }: ConnectTargetOptions,
): (events: TargetLinkEvents) => TargetLink {
  if (target.transport === 'stdio') {
    const { patience, drainMs } = target;
    const linkPatience = {
      ...(patience?.killAfterMs !== undefined && { killMs: patience.killAfterMs }),
      ...(drainMs !== undefined && { drainMs }),
    };
    return (events) => openStdioLink({ start: startTarget, patience: linkPatience, maxMessageBytes }, events);
  }
  const open = target.transport === 'sse' ? openSseLink : openStreamableLink;
  return (events) => {
    const httpTarget = new HttpTarget({ ...target, onError });
    if (own !== undefined) httpTarget.refuseOwnPort(own.port, own.address);
    return open({ target: httpTarget, headers: target.headers, nowMs, maxMessageBytes }, events);
  };
}

/** Description of the server in a recording. */
export interface TargetFacts {
  readonly transport: string;
  /** The server's command, or its URL. */
  readonly command: readonly string[];
  readonly url?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export function targetFacts(target: TargetChoice): TargetFacts {
  if (target.transport === 'stdio') return target;
  const { transport, url } = target;
  return { transport, command: [url.href], url: url.href };
}

/** The variables or headers that the user configured for the target. Some of them are secret. */
export function settingsOfTarget(target: TargetChoice): readonly (readonly [name: string, value: string])[] {
  return target.transport === 'stdio' ? Object.entries(target.env) : target.headers;
}
