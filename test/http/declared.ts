import { type Field, fieldOf, type HttpMessage } from './http-message.ts';

/** Properties of the two connections that cause differences. */
export interface Facts {
  /** The target's own `host:port`. */
  readonly host: string;
  /** Whether the client supports chunked bodies. */
  readonly clientKnowsChunks: boolean;
  /** Whether the connection to the client stays open. */
  readonly keepsClient: boolean;
}

/** An allowed difference between the bytes that one side sends and the other receives. */
export interface Difference {
  /** Its name in docs/transparency.md. */
  readonly what: string;
  readonly inRequest?: (message: HttpMessage, facts: Facts) => HttpMessage;
  readonly inAnswer?: (message: HttpMessage, facts: Facts) => HttpMessage;
}

const OF_ONE_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];

/** Every difference that occurs without a flag, in the order in which it arises. */
export const declared: readonly Difference[] = [
  {
    what: 'HTTP version',
    inRequest: (message) => ({ ...message, start: message.start.replace(/HTTP\/1\.0$/, 'HTTP/1.1') }),
    inAnswer: (message) => ({ ...message, start: message.start.replace(/^HTTP\/1\.0/, 'HTTP/1.1') }),
  },
  {
    what: 'Whitespace around header values',
    inRequest: withTrimmedValues,
    inAnswer: withTrimmedValues,
  },
  {
    what: 'Absolute URLs in request lines',
    inRequest: (message) => ({ ...message, start: message.start.replace(/ http:\/\/[^/ ]+/, ' ') }),
  },
  {
    what: '`Host`',
    inRequest: (message, { host }) => ({
      ...message,
      fields: message.fields.map(([name, value]) => [name, name.toLowerCase() === 'host' ? host : value]),
    }),
  },
  {
    what: 'Requests without a body',
    inRequest: (message) => ({ ...message, fields: [...message.fields, ...missingLength(message)] }),
  },
  {
    what: '`Connection`, `Keep-Alive`, `Proxy-Connection`, `TE`, `Upgrade`, and headers named by `Connection`',
    inRequest: (message) => ({
      ...message,
      fields: [...withoutOneConnection(message.fields), ['Connection', 'keep-alive']],
    }),
    inAnswer: (message, { keepsClient }) => ({
      ...message,
      fields: [
        ...withoutOneConnection(message.fields),
        ['Connection', keepsClient ? 'keep-alive' : 'close'],
        ...(keepsClient ? ([['Keep-Alive', 'timeout=75']] as const) : []),
      ],
    }),
  },
  {
    what: 'Responses that end with their connection',
    inAnswer: (message, { clientKnowsChunks }) => {
      const isFramed = /^(?:content-length|transfer-encoding)$/i;
      const hasBody = message.body.length > 0;
      return !hasBody || !clientKnowsChunks || message.fields.some(([name]) => isFramed.test(name))
        ? message
        : { ...message, fields: [...message.fields, ['Transfer-Encoding', 'chunked']] };
    },
  },
  {
    what: 'Chunks',
    inAnswer: (message, { clientKnowsChunks }) =>
      clientKnowsChunks
        ? message
        : {
            ...message,
            fields: message.fields.filter(([name]) => !/^transfer-encoding$/i.test(name)),
            trailers: [],
          },
  },
  // It is not a message here; its own test covers it.
  { what: '`100 Continue`' },
];

/** The request that the target receives for this one. */
export function requestAfter(message: HttpMessage, facts: Facts): HttpMessage {
  return declared.reduce((changed, { inRequest }) => inRequest?.(changed, facts) ?? changed, message);
}

/** The response that the client receives for this one. */
export function answerAfter(message: HttpMessage, facts: Facts): HttpMessage {
  return declared.reduce((changed, { inAnswer }) => inAnswer?.(changed, facts) ?? changed, message);
}

function withTrimmedValues(message: HttpMessage): HttpMessage {
  const trimmed = (fields: readonly Field[]): Field[] =>
    fields.map(([name, value]) => [name, value.replaceAll(/^[ \t]+|[ \t]+$/g, '')]);
  return { ...message, fields: trimmed(message.fields), trailers: trimmed(message.trailers) };
}

function withoutOneConnection(fields: readonly Field[]): Field[] {
  const named = (fieldOf(fields, 'connection') ?? '').toLowerCase().split(/\s*,\s*/);
  const gone = new Set([...OF_ONE_CONNECTION, ...named]);
  return fields.filter(([name]) => !gone.has(name.toLowerCase()));
}

function missingLength({ start, fields }: HttpMessage): Field[] {
  const mayHaveBody = !/^(?:GET|HEAD|DELETE|OPTIONS|TRACE) /.test(start);
  const isFramed = fields.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  return mayHaveBody && !isFramed ? [['Content-Length', '0']] : [];
}
