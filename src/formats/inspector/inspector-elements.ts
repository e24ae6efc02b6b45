import { ObjectView } from '../../json/object-view.ts';
import { ReelError } from '../../model/errors.ts';
import { candidatesInArray, type MessageCandidate } from '../candidates.ts';
import { type ByteRange, describeDocument, isArray, notWhole, scanTopLevel, type TopLevel } from '../children.ts';
import { type ReadReport, type Source, WRONG_FORMAT } from '../format.ts';
import { STAMP_KEY } from '../message-clock.ts';

/** The kind of an inspector transcript's elements: bare messages, one of MCP Inspector 2's exports, or none. */
export type InspectorShape = 'messages' | 'protocol' | 'network' | 'empty';

export interface InspectorFile {
  readonly source: Source;
  readonly shape: InspectorShape;
  /** Reads the elements, starting from the first one each time. */
  elements(report: ReadReport): AsyncGenerator<MessageCandidate[]>;
}

/** Finds the transcript's array (the document itself, or its `events`), and the kind of its elements. */
export async function openInspectorFile(source: Source): Promise<InspectorFile> {
  const top = await scanTopLevel(source, () => false);
  const range = await arrayIn(source, top);
  const elements = (report: ReadReport): AsyncGenerator<MessageCandidate[]> => elementsIn(source, range, top, report);
  return { source, elements, shape: await shapeOfFile(source, elements) };
}

/** Determines the kind of an element. `undefined` if it is ambiguous. */
export function shapeOf(element: {
  has(key: string): boolean;
  string(key: string): string | undefined;
}): InspectorShape | undefined {
  // Elements of exports have their times in another member.
  if (element.has('jsonrpc') || element.has(STAMP_KEY)) return 'messages';
  const direction = element.string('direction') ?? '';
  if (/^(request|response|notification)$/.test(direction) && element.has('message')) return 'protocol';
  const isExchange = element.has('method') && element.has('url');
  if (isExchange && (element.has('requestHeaders') || element.has('category'))) return 'network';
  return ['method', 'result', 'error'].some((key) => element.has(key)) ? 'messages' : undefined;
}

async function arrayIn(source: Source, top: TopLevel): Promise<ByteRange> {
  if (top.container === '[') return { start: 0, end: source.size };
  if (top.container === undefined) throw noTranscript(source, 'no JSON object or array');
  const events = top.members.get('events');
  if (events === undefined) throw noTranscript(source, describeDocument(top));
  if (await isArray(source, events)) return events;
  throw noTranscript(source, 'an object whose "events" is not an array');
}

function noTranscript(source: Source, seen: string): ReelError {
  const requested = 'an inspector transcript is an array or has "events"';
  return new ReelError('session-unreadable', `${source.name} is not an inspector transcript: ${seen}; ${requested}`, {
    hint: WRONG_FORMAT,
  });
}

async function* elementsIn(
  source: Source,
  range: ByteRange,
  top: TopLevel,
  report: ReadReport,
): AsyncGenerator<MessageCandidate[]> {
  let sent = false;
  const reportArray: ReadReport = (problem) => {
    sent = true;
    report(problem);
  };
  yield* candidatesInArray(source, range, reportArray);
  // The array is complete, but the document around it is not.
  if (top.fault !== undefined && !sent) report(notWhole('document', top.fault));
}

/** Returns the kind of the first element that has one. */
async function shapeOfFile(
  source: Source,
  elements: (report: ReadReport) => AsyncGenerator<MessageCandidate[]>,
): Promise<InspectorShape> {
  let seen = 0;
  let broken = false;
  for await (const batch of elements(() => (broken = true))) {
    for (const { text } of batch) {
      seen++;
      const view = text?.startsWith('{') ? ObjectView.of(text) : undefined;
      const shape = view && shapeOf(view);
      if (shape !== undefined) return shape;
    }
  }
  if (seen === 0 && !broken) return 'empty';
  if (seen === 0) throw noTranscript(source, 'an array without a complete element');
  return 'messages';
}
