import { afterAll, beforeAll, describe } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { briefContract } from './brief-contract.ts';
import { decisionsContract } from './decisions-contract.ts';
import { leavingContract } from './leaving-contract.ts';
import { rulesContract } from './rules-contract.ts';
import { watchingContract } from './watching-contract.ts';
import { type NotingServer, startServer, type Wire } from './wire.ts';

/**
 * Tests interception on any wire. The whole contract runs where `isWhole` is set and in long runs; elsewhere a few
 * sessions cover the code of the wire itself.
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
