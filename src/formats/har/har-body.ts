import { decodeUtf8 } from '../../json/lines.ts';
import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { documentSpan } from '../../json/scan.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import { looksLikeSse, parseSseBody } from '../../protocol/sse/sse-body.ts';
import { eventText } from '../../protocol/sse/sse-text.ts';

/** A body in an archive. */
export interface HarBody {
  readonly text: string;
  readonly isEventStream: boolean;
}

/** A message or batch that was found in a body, and its SSE event. */
export interface FoundBody {
  readonly text: JsonText;
  readonly sse?: JsonText;
}

/** The content of a body. */
export interface BodyContent {
  readonly found: readonly FoundBody[];
  /** Whether the body contains an `endpoint` event, which only the older HTTP+SSE transport has. */
  readonly hasEndpoint: boolean;
  /** Whether the body contains a JSON-RPC message that is not valid JSON. */
  readonly isTorn: boolean;
}

/** Returns whether a message can be in the same body as those before it. */
export function fitsBody(before: readonly MessageEntry[], message: MessageEntry): boolean {
  const last = before.at(-1);
  if (last === undefined) return true;
  if (last.sse !== undefined) return message.sse !== undefined;
  return message.sse === undefined && isOneFrame(last, message);
}

/**
 * Rebuilds the body that contained these messages, as far as they show it. `endpoint` is the URL in the first event of
 * an event stream.
 */
export function bodyOf(messages: readonly MessageEntry[], endpoint?: string): HarBody | undefined {
  if (messages.length === 0 && endpoint === undefined) return undefined;
  const frames = framesOf(messages);
  const isEventStream = endpoint !== undefined || messages.some(({ sse }) => sse !== undefined);
  if (!isEventStream) return { text: frames.map(frameText).join('\n'), isEventStream };
  const first = endpoint === undefined ? '' : eventText('endpoint', endpoint);
  const events = frames.map((frame) => {
    const { event, id } = eventOf(frame[0]?.sse);
    return eventText(event, frameText(frame), id);
  });
  return { text: first + events.join(''), isEventStream };
}

/** Returns whether a text, which is no JSON, begins like a JSON-RPC message or a batch of them. */
function isTorn(text: string): boolean {
  return /^\s*[[{]/.test(text) && text.includes('"jsonrpc"') && documentSpan(text) === undefined;
}

/** Finds the values in a body that satisfy `isMessage`, and their SSE events. */
export function messagesInBody(body: string, isMessage: (text: string) => boolean): BodyContent {
  if (!looksLikeSse(body)) {
    return { found: isMessage(body) ? [{ text: body.trim() }] : [], hasEndpoint: false, isTorn: isTorn(body) };
  }
  const events = parseSseBody(body);
  const found = events
    .filter(({ data }) => isMessage(data))
    .map(({ event, id, data }) => ({ text: data.trim(), sse: JSON.stringify({ event, id }) }));
  return {
    found,
    hasEndpoint: events.some(({ event }) => event === 'endpoint'),
    isTorn: events.some(({ data }) => isTorn(data)),
  };
}

/**
 * Returns the body of an archive's `postData` or `content`. `undefined` if there is no body, `null` if it is
 * unreadable.
 */
export function bodyIn(content: ObjectView | undefined): string | undefined | null {
  const text = content?.string('text');
  return text !== undefined && content?.string('encoding') === 'base64' ? decodeBase64(text) : text;
}

/**
 * Returns what is wrong with the form of an entry, in which HAR requires a request and a response. A body may be
 * absent, but one that is there has a text.
 */
export function faultsInEntry(entry: ObjectView): string[] {
  return [faultIn(entry, 'request', 'postData'), faultIn(entry, 'response', 'content')].filter((fault) => fault !== '');
}

function faultIn(entry: ObjectView, part: string, bodyMember: string): string {
  const view = entry.object(part);
  if (view === undefined) return `${part} is missing or not an object`;
  const body = view.textOf(bodyMember) ?? 'null';
  const text = ObjectView.of(body)?.textOf('text') ?? 'null';
  if (body !== 'null' && !body.startsWith('{')) return `${part}.${bodyMember} is not an object`;
  return text === 'null' || text.startsWith('"') ? '' : `${part}.${bodyMember}.text is not a string`;
}

/** The problem with a body of which a message cannot be read. */
export const TORN_BODY = 'a body with a JSON-RPC message that is not valid JSON';

/** Returns whether a text is a JSON-RPC message, or a batch that contains one. */
export function isJsonRpc(text: string): boolean {
  if (!text.includes('"jsonrpc"')) return false;
  const body = text.trim();
  if (body.startsWith('{')) return ObjectView.of(body)?.string('jsonrpc') !== undefined;
  return elementTexts(body)?.some(isJsonRpc) ?? false;
}

function decodeBase64(text: string): string | null {
  try {
    return decodeUtf8(Uint8Array.from(atob(text), (char) => char.charCodeAt(0))) ?? null;
  } catch {
    return null;
  }
}

function framesOf(messages: readonly MessageEntry[]): MessageEntry[][] {
  const frames: MessageEntry[][] = [];
  for (const message of messages) {
    const open = frames.at(-1);
    if (open?.[0] !== undefined && isOneFrame(open[0], message)) open.push(message);
    else frames.push([message]);
  }
  return frames;
}

function isOneFrame(a: MessageEntry, b: MessageEntry): boolean {
  const frame = frameNumber(a);
  return frame !== undefined && frame === frameNumber(b);
}

function frameNumber({ batch }: MessageEntry): number | undefined {
  return batch === undefined ? undefined : ObjectView.of(batch)?.number('frame');
}

function frameText(frame: readonly MessageEntry[]): string {
  const [first] = frame;
  const texts = frame.map(({ text }) => text).join(',');
  return first !== undefined && frameNumber(first) === undefined ? texts : `[${texts}]`;
}

/** Returns the name and id of an event, limited to what an event stream can contain. */
function eventOf(sse: JsonText | undefined): { readonly event: string; readonly id: string | undefined } {
  const view = ObjectView.of(sse ?? '{}');
  const event = view?.string('event') || 'message';
  const id = view?.string('id');
  const isFitId = id !== undefined && !/[\0\r\n]/.test(id);
  return { event: event.replaceAll(/[\r\n]+/g, ' '), id: isFitId ? id : undefined };
}
