import { HoldDesk } from './hold-desk.ts';
import type { Arrival, Mode } from './holding.ts';

export interface SampleDeskOptions {
  readonly mode?: Mode | undefined;
  readonly wants?: ((arrival: Arrival) => boolean) | undefined;
}

/** A desk for tests at which everything is held that is wanted, under the ids m0, m1 and so on. */
export function sampleDesk({ mode = 'intercept', wants = () => true }: SampleDeskOptions = {}): HoldDesk {
  let ids = 0;
  return new HoldDesk({
    mode,
    timeoutMs: 60_000,
    failsClosed: false,
    nowMs: () => 0,
    newId: () => `m${ids++}`,
    wants,
    events: { onHeld: none, onReleased: none, onRuled: none, onMode: none },
  });
}

function none(): void {
  // Nobody wants to know.
}
