import type { TargetLink } from '../../src/transport/outbound/target-link.ts';
import { LinkWitness } from './link-witness.ts';

/** Opens a link that reports to this witness. */
export type OpenForWitness = (witness: LinkWitness) => TargetLink;

/** Connects an SDK client over an outbound link, as if the link were a transport. */
export class LinkTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly witness: LinkWitness = new LinkWitness();
  readonly #open: OpenForWitness;
  #link: TargetLink | undefined;

  constructor(open: OpenForWitness) {
    this.#open = open;
  }

  async start(): Promise<void> {
    const { witness } = this;
    const note = witness.onMessage.bind(witness);
    witness.onMessage = (text, origin) => {
      note(text, origin);
      this.onmessage?.(JSON.parse(text) as never);
    };
    this.#link = this.#open(witness);
  }

  async send(message: unknown): Promise<void> {
    this.#link?.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    await this.#link?.close();
    this.onclose?.();
  }
}
