import type { Transport } from '../bridge/targets.ts';
import type { Wire } from './wire.ts';

const TRANSPORTS: readonly Transport[] = ['stdio', 'streamable-http', 'sse'];

/** Every pair of transports, relays first, and what clients of the newest revision can use. */
export const ALL_WIRES: readonly Wire[] = [
  wireOf('stdio', 'stdio', false),
  wireOf('streamable-http', 'streamable-http', false),
  wireOf('sse', 'sse', false),
  ...TRANSPORTS.flatMap((listen) =>
    TRANSPORTS.filter((target) => target !== listen).map((target) => wireOf(listen, target, false)),
  ),
  wireOf('stdio', 'stdio', true),
  wireOf('streamable-http', 'streamable-http', true),
  wireOf('streamable-http', 'stdio', true),
  wireOf('stdio', 'streamable-http', true),
];

function wireOf(listen: Transport, target: Transport, isModern: boolean): Wire {
  return { title: `${listen} to ${target}${isModern ? ', newest revision' : ''}`, listen, target, isModern };
}
