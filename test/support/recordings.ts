import { readFileSync } from 'node:fs';

export type Json = Readonly<Record<string, unknown>>;

/** A message of a recording, from either file format. */
export interface RecordedMessage {
  readonly id: string;
  readonly direction: 'in' | 'out';
  readonly payload: Json;
  /** The id of the request that it answers. */
  readonly answers: string | undefined;
  /** Absent for conversation 0. */
  readonly conversation?: number | undefined;
  /** Its HTTP exchange. */
  readonly exchange?: number | undefined;
  /** Its SSE event. */
  readonly sse?: Json | undefined;
  readonly batch?: Json | undefined;
}

/** The lines of a JSON Lines text, parsed. */
export function jsonLines(text: string): Json[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);
}

/** The content of a trace, by the kind of its lines. */
export function parseTrace(text: string): {
  meta: Json;
  /** All lines after the first one. */
  lines: Json[];
  messages: RecordedMessage[];
  events: Json[];
  end: Json | undefined;
} {
  const [meta = {}, ...lines] = jsonLines(text);
  const messages = lines.filter((line) => line.type === undefined).map(fromTrace);
  return {
    meta,
    lines,
    messages,
    events: lines.filter((line) => line.type === 'event'),
    end: lines.find((line) => line.type === 'end'),
  };
}

/** The `raw` values of the events of one kind. */
export function eventsOf(trace: { readonly events: readonly Json[] }, kind: string): unknown[] {
  return trace.events.filter((event) => event.kind === kind).map((event) => event.raw);
}

export function readSessionFile(path: string): { session: Json; messages: RecordedMessage[] } {
  const session = JSON.parse(readFileSync(path, 'utf8')) as Json & { messages: Json[] };
  return { session, messages: session.messages.map(fromSessionFile) };
}

/** A JSON text without the whitespace between its tokens. */
export function withoutSpace(text: string): string {
  return text.replaceAll(/("(?:\\.|[^"\\])*")|\s+/g, '$1');
}

function fromTrace(line: Json): RecordedMessage {
  const { id, dir, raw, corr } = line as { id: string; dir: 'in' | 'out'; raw: Json; corr?: string };
  return { id, direction: dir, payload: raw, answers: corr, conversation: line.conv as number, ...placeOf(line) };
}

function fromSessionFile(message: Json): RecordedMessage {
  return {
    id: message.proxy_id as string,
    direction: message.direction === 'client_to_server' ? 'in' : 'out',
    payload: message.payload as Json,
    answers: (message.correlated_id as string | null) ?? undefined,
    conversation: message.conversation as number,
    ...placeOf(message),
  };
}

function placeOf({ http, sse, batch }: Json): Pick<RecordedMessage, 'exchange' | 'sse' | 'batch'> {
  return { exchange: (http as { exchange: number } | undefined)?.exchange, sse: sse as Json, batch: batch as Json };
}
