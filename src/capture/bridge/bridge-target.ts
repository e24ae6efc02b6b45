import type { HttpListener } from '../../transport/http/http-listener.ts';
import { HttpTarget } from '../../transport/http/http-target.ts';
import { openSseLink } from '../../transport/outbound/sse-link.ts';
import { openStdioLink } from '../../transport/outbound/stdio-link.ts';
import { openStreamableLink } from '../../transport/outbound/streamable-link.ts';
import type { TargetLink, TargetLinkEvents } from '../../transport/outbound/target-link.ts';
import type { BridgeCaptureOptions, StdioDeps } from '../capture-options.ts';
import type { TargetFacts } from '../session-header.ts';

export interface LinkOpenerOptions {
  readonly target: BridgeCaptureOptions['target'];
  readonly deps: Pick<StdioDeps, 'nowMs' | 'startTarget'>;
  readonly maxMessageBytes: number;
  /** mcpreel's own listener, to which the target must not point. */
  readonly own: Pick<HttpListener, 'port' | 'address'> | undefined;
}

/** Returns the function that connects a conversation to the target, each with its own process or session. */
export function linkOpener({
  target,
  deps,
  maxMessageBytes,
  own,
}: LinkOpenerOptions): (events: TargetLinkEvents) => TargetLink {
  const { nowMs, startTarget } = deps;
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
    const httpTarget = new HttpTarget(target);
    if (own !== undefined) httpTarget.refuseOwnPort(own.port, own.address);
    return open({ target: httpTarget, headers: target.headers, nowMs, maxMessageBytes }, events);
  };
}

/** The target's description for the session header. */
export function targetFacts(target: BridgeCaptureOptions['target']): TargetFacts {
  if (target.transport === 'stdio') return target;
  const { transport, url } = target;
  return { transport, command: [url.href], url: url.href };
}

/** The secret values that the user configured for the target. */
export function secretsOfTarget(target: BridgeCaptureOptions['target']): string[] {
  return target.transport === 'stdio' ? Object.values(target.env) : target.headers.map(([, value]) => value);
}

/** The same for both sides. */
export function secretsOf({ target, listen }: BridgeCaptureOptions): string[] {
  const ofTarget = secretsOfTarget(target);
  const token = listen.transport === 'stdio' ? undefined : listen.token;
  return token === undefined ? ofTarget : [...ofTarget, token];
}
