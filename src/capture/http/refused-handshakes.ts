import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import type { RequestHead } from '../../proxy/http/exchange-tap.ts';
import { headerOf, headerPairs } from '../../proxy/http/http-headers.ts';

/** How many refused handshakes may wait for their retry, the most recent ones. */
const MAX_REMEMBERED = 100;

/** An `initialize`, and what its sender can be recognized by. */
export interface Handshake {
  readonly connection: number | undefined;
  readonly client: string;
  readonly credentials: string;
}

interface RefusedHandshake extends Handshake {
  readonly conversation: number;
  /** Whether the target asked for credentials. */
  readonly isUnauthorized: boolean;
}

const CREDENTIALS = /auth|cookie|key|token|secret/i;

export function handshakeOf({ headers, connection }: RequestHead, text: JsonText): Handshake {
  const clientInfo = ObjectView.of(text)?.object('params')?.textOf('clientInfo') ?? '';
  return {
    connection,
    client: `${headerOf(headers, 'user-agent') ?? ''}\n${clientInfo}`,
    credentials: headerPairs(headers)
      .filter(([name]) => CREDENTIALS.test(name))
      .join('\n'),
  };
}

/** Finds the refused handshake that another one repeats. */
export class RefusedHandshakes {
  #refused: RefusedHandshake[] = [];

  add(refused: RefusedHandshake): void {
    this.#refused.push(refused);
    if (this.#refused.length > MAX_REMEMBERED) this.#refused.shift();
  }

  /** Removes and returns the conversation of the handshake that this one repeats, if that is certain enough. */
  take(handshake: Handshake): number | undefined {
    const ofClient = this.#refused.filter(({ client }) => client === handshake.client);
    const onConnection = ofClient.filter(({ connection }) => isSame(connection, handshake.connection));
    // Without other credentials, a new connection is more likely that of another client.
    const repeated = ofClient.filter(
      ({ isUnauthorized, credentials }) => !isUnauthorized || credentials !== handshake.credentials,
    );
    const candidates = onConnection.length > 0 ? onConnection : repeated;
    const [only] = candidates;
    if (only === undefined || candidates.length > 1) return undefined;
    this.#refused = this.#refused.filter((refused) => refused !== only);
    return only.conversation;
  }
}

function isSame(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && one === other;
}
