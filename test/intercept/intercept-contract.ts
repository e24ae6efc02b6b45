import { afterAll, beforeAll, describe } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { briefContract } from './brief-contract.ts';
import { decisionsContract } from './decisions-contract.ts';
import { leavingContract } from './leaving-contract.ts';
import { rulesContract } from './rules-contract.ts';
import { watchingContract } from './watching-contract.ts';
import { type NotingServer, startServer, type Wire } from './wire.ts';

/**
 * What holds for messages that somebody wants to see before they are passed on, whatever wire they are on: all of it where
 * `isWhole`, and in long runs. Elsewhere a few sessions go through what is done in code of the wire.
 */
export function interceptContract(wire: Wire, { isWhole = isLongRun }: { readonly isWhole?: boolean } = {}): void {
  describe(wire.title, () => {
    let running: NotingServer;
    beforeAll(async () => {
      running = await startServer(wire.target);
    });
    afterAll(() => running.stop());
    const server = (): NotingServer => running;

    if (!isWhole) {
      briefContract(wire, server);
      return;
    }
    decisionsContract(wire, server);
    watchingContract(wire, server);
    leavingContract(wire, server);
    rulesContract(wire, server);
  });
}
