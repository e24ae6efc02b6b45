import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { openListener } from '../../src/transport/http/http-listener.ts';
import type { InboundOptions } from '../../src/transport/inbound/inbound-exchange.ts';
import type {
  ClientDialogue,
  ClientExchange,
  DialogueEvents,
  InboundEvents,
  InboundPlace,
} from '../../src/transport/inbound/inbound-transport.ts';
import { Watch } from '../support/watch.ts';

interface Inbound {
  take(request: IncomingMessage, response: ServerResponse, path: string): void;
  close(): void;
}

interface Received {
  readonly dialogue: ClientDialogue;
  readonly text: string;
}

/** An inbound listener on a port, with the test as the server behind it. */
export class InboundBench extends Watch {
  readonly heard: Received[] = [];
  readonly abandoned: string[] = [];
  readonly ended: ClientDialogue[] = [];
  readonly undelivered: string[] = [];
  readonly passed: { readonly texts: readonly string[]; readonly dir: 'in' | 'out'; readonly place: InboundPlace }[] =
    [];
  readonly exchanges: ClientExchange[] = [];
  origin = '';
  /** Called for each message from a client; may send a response. */
  answer: (received: Received, id: unknown, method: string) => void = () => undefined;
  #count = 0;

  static async open(
    make: (options: InboundOptions) => Inbound,
    options: Partial<InboundOptions> = {},
  ): Promise<InboundBench> {
    const bench = new InboundBench();
    let ids = 0;
    const inbound = make({
      events: bench.#events(),
      nowMs: () => 0,
      newId: () => `session-${++ids}`,
      maxMessageBytes: 1 << 20,
      ...options,
    });
    const onRequest = (request: IncomingMessage, response: ServerResponse, path: string): void =>
      inbound.take(request, response, path);
    const listener = await openListener({ host: '127.0.0.1', port: 0, token: options.token, onRequest });
    bench.origin = listener.origin;
    onTestFinished(async () => {
      inbound.close();
      await listener.close();
    });
    return bench;
  }

  /** Resolves with the first message with this method from a client. */
  hears(method: string): Promise<Received> {
    return this.until(() => this.heard.find(({ text }) => JSON.parse(text).method === method));
  }

  #events(): InboundEvents {
    return {
      onDialogue: (dialogue) => this.#join(dialogue),
      onReported: ({ text }, place) => this.#pass([text], 'out', place),
      onReportedAsBatch: (reported, place) =>
        this.#pass(
          reported.map(({ text }) => text),
          'out',
          place,
        ),
      onEndpoint: () => undefined,
      onUndelivered: ({ text }) => {
        this.undelivered.push(text);
        this.changed();
      },
      onStrayLine: () => undefined,
      nextExchange: () => this.#count++,
      onExchange: (exchange) => {
        this.exchanges.push(exchange);
        this.changed();
      },
    };
  }

  #pass(texts: readonly string[], dir: 'in' | 'out', place: InboundPlace): void {
    this.passed.push({ texts, dir, place });
    this.changed();
  }

  #receive(received: Received): void {
    this.heard.push(received);
    const { id, method } = JSON.parse(received.text) as { id?: unknown; method: string };
    // A real server never answers before the sender's write has returned.
    setImmediate(() => this.answer(received, id, method));
  }

  #join(dialogue: ClientDialogue): DialogueEvents {
    return {
      onMessage: ({ body, place }) => {
        const texts = body.kind === 'batch' ? body.texts : [body.text];
        for (const text of texts) this.#receive({ dialogue, text });
        this.#pass(texts, 'in', place);
        return true;
      },
      onAbandon: (requestId) => {
        this.abandoned.push(requestId);
        this.changed();
      },
      onDrain: () => undefined,
      answered: () => Promise.resolve(),
      isHeld: () => false,
      released: () => Promise.resolve(),
      onEnd: () => {
        this.ended.push(dialogue);
        this.changed();
      },
    };
  }
}

/** Yields the events of a stream as they arrive. */
export async function* eventsOf(response: Response): AsyncGenerator<{ event: string; data: string }> {
  let pending = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    pending += chunk;
    for (let end = pending.indexOf('\n\n'); end >= 0; end = pending.indexOf('\n\n')) {
      const lines = pending.slice(0, end).split('\n');
      pending = pending.slice(end + 2);
      const field = (name: string): string[] =>
        lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
      const [event = ''] = field('event');
      if (event !== '') yield { event, data: field('data').join('\n') };
    }
  }
}

/** Reads all events of a stream that ends. */
export async function allEvents(response: Response): Promise<{ event: string; data: string }[]> {
  const events = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}
