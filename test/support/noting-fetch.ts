/** An HTTP exchange as its client saw it. */
export interface NotedExchange {
  readonly method: string;
  readonly requestHeaders: Headers;
  /** Bytes of the request's body. */
  readonly sent: number;
  readonly status: number;
  readonly responseHeaders: Headers;
  /** The body, as far as the client read it. */
  body: string;
}

/** A `fetch` that records its exchanges. */
export interface NotingFetch {
  readonly fetch: typeof globalThis.fetch;
  /** In the order of their responses. */
  readonly exchanges: readonly NotedExchange[];
  /** Resolves when a request with this method has received the head of its response. */
  answered(method: string): Promise<void>;
}

export function notingFetch(): NotingFetch {
  const exchanges: NotedExchange[] = [];
  const waiting: (() => void)[] = [];
  return {
    exchanges,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const { method = 'GET', headers, body } = init ?? {};
      const exchange: NotedExchange = {
        method,
        requestHeaders: new Headers(headers),
        sent: typeof body === 'string' ? Buffer.byteLength(body) : 0,
        status: response.status,
        responseHeaders: response.headers,
        body: '',
      };
      exchanges.push(exchange);
      for (const look of waiting) look();
      if (response.body === null) return response;
      return new Response(response.body.pipeThrough(noting(exchange)), {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      });
    },
    answered: (method) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (exchanges.some((exchange) => exchange.method === method)) resolve();
        };
        waiting.push(look);
        look();
      }),
  };
}

function noting(exchange: NotedExchange): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(chunk, controller) {
      exchange.body += decoder.decode(chunk, { stream: true });
      controller.enqueue(chunk);
    },
  });
}
