/** What an SDK's transport has for us: both SDKs call a handler that was set before theirs, too. */
interface Tappable<Received, Sent, Options> {
  onmessage?: ((message: Received) => void) | undefined;
  send(message: Sent, options?: Options): Promise<void>;
}

/** The messages that a client itself sent and received. */
export interface Tap {
  readonly sent: unknown[];
  readonly received: unknown[];
  /** Resolves when the client has received so many messages with this method. */
  hears(method: string, times?: number): Promise<void>;
}

/** Notes what passes through a client's transport, before it is connected. */
export function tap<Received, Sent, Options>(transport: Tappable<Received, Sent, Options>): Tap {
  const sent: unknown[] = [];
  const received: unknown[] = [];
  const waiting: (() => void)[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    sent.push(asSent(message));
    return send(message, options);
  };
  transport.onmessage = (message) => {
    received.push(asSent(message));
    for (const look of waiting) look();
  };
  const hears = (method: string, times = 1): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        const heard = received.filter((message) => (message as { method?: string }).method === method);
        if (heard.length >= times) resolve();
      };
      waiting.push(look);
      look();
    });
  return { sent, received, hears };
}

/** A copy as it goes over the wire: members without a value are not sent. */
function asSent(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message));
}
