/** What an SDK's transport has for us: both SDKs call a handler that was set before theirs, too. */
interface Tappable<Message> {
  onmessage?: ((message: Message) => void) | undefined;
  send(message: Message): Promise<void>;
}

/** The messages that a client itself sent and received. */
export interface Tap {
  readonly sent: unknown[];
  readonly received: unknown[];
}

/** Notes what passes through a client's transport, before it is connected. */
export function tap<Message>(transport: Tappable<Message>): Tap {
  const noted: Tap = { sent: [], received: [] };
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    noted.sent.push(asSent(message));
    return send(message);
  };
  transport.onmessage = (message) => void noted.received.push(asSent(message));
  return noted;
}

/** A copy as it goes over the wire: members without a value are not sent. */
function asSent(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message));
}
