import { HttpTarget } from '../../src/transport/http/http-target.ts';
import type { HttpLinkOptions } from '../../src/transport/outbound/link-exchanges.ts';
import type { TargetLink, TargetLinkEvents } from '../../src/transport/outbound/target-link.ts';
import { closedAfterTest, LinkWitness } from './link-witness.ts';

export type OpenHttpLink = (options: HttpLinkOptions, events: TargetLinkEvents) => TargetLink;

/** Opens an outbound link to a URL, with a witness. */
export function linkTo(
  open: OpenHttpLink,
  url: URL,
  options: Partial<HttpLinkOptions> = {},
): { link: TargetLink; witness: LinkWitness } {
  const witness = new LinkWitness();
  const whole = { target: new HttpTarget({ url }), headers: [], nowMs: () => performance.now(), ...options };
  return { link: closedAfterTest(open(whole, witness)), witness };
}
