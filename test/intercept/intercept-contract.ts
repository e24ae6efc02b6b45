import { afterAll, beforeAll, describe } from 'vitest';
import { decisionsContract } from './decisions-contract.ts';
import { leavingContract } from './leaving-contract.ts';
import { rulesContract } from './rules-contract.ts';
import { watchingContract } from './watching-contract.ts';
import { type NotingServer, startServer, type Wire } from './wire.ts';

/** What holds for messages that somebody wants to see before they are passed on, whatever wire they are on. */
export function interceptContract(wire: Wire): void {
  describe(wire.title, () => {
    let running: NotingServer;
    beforeAll(async () => {
      running = await startServer(wire.target);
    });
    afterAll(() => running.stop());
    const server = (): NotingServer => running;

    decisionsContract(wire, server);
    watchingContract(wire, server);
    leavingContract(wire, server);
    rulesContract(wire, server);
  });
}
