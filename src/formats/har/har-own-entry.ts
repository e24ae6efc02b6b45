import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { batchText, type Direction, type JsonText, opposite } from '../../model/entry.ts';
import type { SessionHeader } from '../../model/session.ts';
import { parseTime } from '../../model/times.ts';
import { TRANSCRIPT_ENTRY } from '../http-transcript/transcript-entry.ts';
import { type CapturePass, type ForeignMessage, unknownMembers } from '../other-tools/foreign-capture.ts';
import { bodyIn, messagesInBody, TORN_BODY } from './har-body.ts';
import { HAR_MEMBER, PLACED_MEMBERS } from './har-entry.ts';
import { headersIn, pathIn, statusIn } from './har-http.ts';
import type { HarQueue } from './har-queue.ts';

/** Reads the session header from an archive that mcpreel wrote. */
export function sessionFacts(text: JsonText | undefined): Partial<SessionHeader> | undefined {
  const view = text === undefined ? undefined : ObjectView.of(text);
  const id = view?.string('id');
  if (view === undefined || id === undefined) return undefined;
  const startedAtMs = parseTime(view.string('startedDateTime') ?? '');
  const metadata = view.object('metadata')?.text;
  const label = view.string('label');
  const transport = view.string('transport');
  return {
    id,
    command: view.strings('command') ?? [],
    url: view.string('url'),
    ...(label !== undefined && { label }),
    ...(transport !== undefined && { transport }),
    ...(metadata !== undefined && { metadata }),
    ...(startedAtMs !== undefined && { startedAtMs }),
  };
}

const WRITTEN_MEMBERS = ['startedDateTime', 'time', 'request', 'response', 'timings'];

/** Reads an entry that mcpreel wrote. `own` contains mcpreel's own data in the entry. */
export function takeOwnEntry(
  pass: CapturePass,
  queue: HarQueue,
  entry: ObjectView,
  own: ObjectView,
  line: number,
): void {
  const exchange = own.number('exchange');
  const facts = objectsIn(own.textOf('messages'));
  const timeOf = (fact: ObjectView | undefined): number | undefined => parseTime(fact?.string('dateTime') ?? '');
  let atMs = queue.begin(pass, entry, timeOf(facts[0]));
  const asking = directionIn(facts[0]) ?? 'client_to_server';
  const place = { http: exchange === undefined ? undefined : `{"exchange":${exchange}}`, seenOn: exchange ?? -line };
  let index = 0;
  const take = (content: ObjectView | undefined, direction: Direction): void => {
    for (const { texts, sse, isBatch } of framesIn(content, pass)) {
      const ofFrame = facts.slice(index, index + texts.length);
      index += texts.length;
      atMs = timeOf(ofFrame[0]) ?? atMs;
      const { proxyId, correlatedId } = sentBy(ofFrame[0]);
      const request = ofFrame[0]?.has('method') ? proxyId : undefined;
      const waiting = { atMs, weight: lengthOf(texts), rank: line, request, answers: correlatedId };
      queue.put(pass, waiting, () => {
        const frame = pass.next;
        for (const [position, text] of texts.entries()) {
          const fact = ofFrame[position];
          const ownMs = timeOf(fact);
          if (ownMs !== undefined) pass.at(ownMs, 'dateTime');
          const batch = isBatch ? batchText(frame, position, texts.length) : undefined;
          pass.message(text, { direction: directionIn(fact) ?? direction, ...place, sse, batch, ...sentBy(fact) });
        }
      });
    }
  };
  take(entry.object('request')?.object('postData'), asking);
  take(entry.object('response')?.object('content'), opposite(asking));
  const answer = own.object('transcript')?.text;
  if (answer !== undefined && facts.length === 0) {
    queue.put(pass, { atMs, weight: answer.length, rank: line }, () => pass.event(TRANSCRIPT_ENTRY, answer));
  }
  const endedMs = parseTime(own.string('endedDateTime') ?? '');
  if (exchange === undefined || endedMs === undefined) return;
  // A cache that is not empty came from another archive.
  const emptyCache = entry.textOf('cache') === '{}' ? ['cache'] : [];
  const kept = unknownMembers(entry, [...WRITTEN_MEMBERS, ...emptyCache, HAR_MEMBER]);
  const raw = exchangeText(entry, own, exchange);
  queue.put(pass, { atMs: endedMs, weight: raw.length, rank: line }, () =>
    pass.event('http.exchange', raw, kept, own.number('conversation')),
  );
}

function lengthOf(texts: readonly JsonText[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** One message, or the messages of one batch. */
interface HarFrame {
  readonly texts: readonly JsonText[];
  readonly isBatch: boolean;
  readonly sse: JsonText | undefined;
}

function framesIn(content: ObjectView | undefined, pass: CapturePass): HarFrame[] {
  const body = bodyIn(content);
  if (body === null) pass.problem('a body that is not base64 of UTF-8 text');
  if (body === undefined || body === null) return [];
  const { found, isTorn } = messagesInBody(body, isObjectOrArray);
  if (isTorn) pass.problem(TORN_BODY);
  return found.map(({ text, sse }) => {
    const elements = elementTexts(text);
    return { texts: elements ?? [text], isBatch: elements !== undefined, sse };
  });
}

function isObjectOrArray(text: string): boolean {
  return ObjectView.of(text) !== undefined || elementTexts(text) !== undefined;
}

function sentBy(fact: ObjectView | undefined): Partial<ForeignMessage> {
  return {
    pairing: fact === undefined ? 'by-id' : 'as-stated',
    proxyId: fact?.string('proxyId'),
    correlatedId: fact?.string('correlatedId'),
    conversation: fact?.number('conversation'),
    kept: fact?.object('transcript')?.text,
    ...(fact?.value('dropped') === true && { dropped: true }),
    ...(fact?.value('injected') === true && { injected: true }),
  };
}

function directionIn(fact: ObjectView | undefined): Direction | undefined {
  const sent = fact?.string('direction');
  return sent === 'client_to_server' || sent === 'server_to_client' ? sent : undefined;
}

function objectsIn(list: JsonText | undefined): ObjectView[] {
  return (elementTexts(list ?? '') ?? []).flatMap((text) => ObjectView.of(text) ?? []);
}

function exchangeText(entry: ObjectView, own: ObjectView, exchange: number): JsonText {
  const request = entry.object('request');
  const response = entry.object('response');
  const known = JSON.stringify({
    exchange,
    method: request?.string('method') ?? '',
    path: pathIn(request?.string('url') ?? ''),
    status: statusIn(response),
    requestHeaders: headersIn(request),
    responseHeaders: headersIn(response),
  });
  const more = own.object('more')?.only((key) => !PLACED_MEMBERS.has(key));
  const error = JSON.stringify(response?.string('_error') ?? null);
  return `${known.slice(0, -1)}${more === undefined ? '' : `,${more.slice(1, -1)}`},"error":${error}}`;
}
