import { ObjectView } from '../../json/object-view.ts';
import type { EventEntry, JsonText, MessageEntry } from '../../model/entry.ts';

/** The status and the headers that a transcript has for a message, whose HTTP exchange is not known otherwise. */
export interface HttpContext {
  readonly status: number | undefined;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

const NONE: HttpContext = { status: undefined, headers: [] };

interface HarMessages {
  readonly exchange: number | undefined;
  readonly event: EventEntry | undefined;
  readonly sent: readonly MessageEntry[];
  readonly received: readonly MessageEntry[];
}

/** The context of the request or the response in the transcript that the messages come from. */
export function contextOf({ sent, received, event, exchange }: HarMessages, side: 'request' | 'response'): HttpContext {
  if (exchange !== undefined) return NONE;
  const message = side === 'request' ? sent[0] : received[0];
  const beside = event === undefined ? message?.keepsakes?.transcript : side === 'response' ? event.raw : undefined;
  return beside === undefined ? NONE : contextIn(beside, side);
}

function contextIn(entryText: JsonText, side: 'request' | 'response'): HttpContext {
  const entry = ObjectView.of(entryText);
  const context = entry?.object('transport_context');
  const views = [context?.object(side), context, entry];
  const statuses = views.flatMap((view) => STATUS_KEYS.map((key) => statusOf(view?.value(key))));
  return {
    status: side === 'response' ? statuses.find((status) => status !== undefined) : undefined,
    headers: views.flatMap((view) => headersOf(view?.value('headers'))),
  };
}

const STATUS_KEYS = ['status', 'status_code', 'http_status'];

function statusOf(value: unknown): number | undefined {
  return /^[1-5]\d\d$/.test(String(value)) ? Number(value) : undefined;
}

/** Reads `{"Name":"value" or ["value"]}` or `[["Name","value"]]`. */
function headersOf(headers: unknown): { name: string; value: string }[] {
  if (typeof headers !== 'object' || headers === null) return [];
  const pairs: unknown[] = Array.isArray(headers) ? headers : Object.entries(headers);
  return pairs.flatMap((pair) => {
    const [name, values]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof name !== 'string') return [];
    return [values].flat().flatMap((value) => (typeof value === 'string' ? [{ name, value }] : []));
  });
}
