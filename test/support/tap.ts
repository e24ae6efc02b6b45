/** The part of an SDK transport that a tap uses; both SDKs also call a handler that was set before theirs. */
interface Tappable<Received, Sent, Options> {
  onmessage?: ((message: Received) => void) | undefined;
  send(message: Sent, options?: Options): Promise<void>;
}

/** The messages that a client sent and received. */
export interface Tap {
  readonly sent: unknown[];
  readonly received: unknown[];
  /** Resolves when the client has received this many messages with this method. */
  hears(method: string, times?: number): Promise<void>;
  /** Resolves when the client has sent its response to a request with this method. */
  answers(method: string): Promise<void>;
}

interface Noted {
  readonly id?: unknown;
  readonly method?: string;
}

/** Records the messages of a client's transport; call it before the transport connects. */
export function tap<Received, Sent, Options>(transport: Tappable<Received, Sent, Options>): Tap {
  const sent: Noted[] = [];
  const received: Noted[] = [];
  const out: Noted[] = [];
  const waiting: (() => void)[] = [];
  const lookAgain = (): void => {
    for (const look of waiting) look();
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const noted = asSent(message);
    sent.push(noted);
    const isOut = send(message, options);
    isOut.then(
      () => {
        out.push(noted);
        lookAgain();
      },
      () => undefined,
    );
    return isOut;
  };
  transport.onmessage = (message) => {
    received.push(asSent(message));
    lookAgain();
  };
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (isSo()) resolve();
      };
      waiting.push(look);
      look();
    });
  const heard = (method: string): Noted[] => received.filter((message) => message.method === method);
  const isAnswered = ({ id }: Noted): boolean => out.some((sent) => sent.id === id && sent.method === undefined);
  return {
    sent,
    received,
    hears: (method, times = 1) => until(() => heard(method).length >= times),
    answers: (method) => until(() => heard(method).some(isAnswered)),
  };
}

/** A copy as sent: members without a value are omitted. */
function asSent(message: unknown): Noted {
  return JSON.parse(JSON.stringify(message)) as Noted;
}
