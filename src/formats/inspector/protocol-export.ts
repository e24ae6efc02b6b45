import { ObjectView } from '../../json/object-view.ts';
import { uuidFromText } from '../../model/derived-id.ts';
import { type Direction, type Entry, type JsonText, opposite } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import { type RecordedSession, unnamedHeader } from '../../model/session.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { type MessageCandidate, viewOf } from '../candidates.ts';
import { type ReadOptions, type ReadProblem, type ReadReport, WRONG_FORMAT } from '../format.ts';
import { MessageMaker, type ReadMessage } from '../message-maker.ts';
import { oncePerFile } from '../reading.ts';
import { TimeWindow } from '../time-window.ts';
import { ElementClock, timeOfElement } from './element-clock.ts';
import { ElementSides, type SidedElement, StrayFolds } from './element-sides.ts';
import type { InspectorFile } from './inspector-elements.ts';

/** Reads MCP Inspector 2's protocol export: the messages, each request with its response included. */
export async function readProtocolExport(file: InspectorFile, options: ReadOptions): Promise<RecordedSession> {
  const { firstText, firstMs, strayed, statesAll, firstProblem } = await survey(file);
  if (firstText === undefined) {
    const what = firstProblem?.contract ?? 'no element has a message';
    const nothing = `No JSON-RPC message in ${file.source.name}: ${what}`;
    throw new ReelError('session-unreadable', nothing, { hint: WRONG_FORMAT });
  }
  const id = uuidFromText(`${file.source.size}:${firstText}`);
  const problemsOf = oncePerFile(options);
  return {
    format: 'inspector',
    header: { ...unnamedHeader(id), startedAtMs: firstMs ?? 0, label: 'inspector' },
    footer: undefined,
    infersDirections: !statesAll,
    numbersTimes: firstMs === undefined,
    async *batches() {
      const report = problemsOf();
      const reader = new ElementReader(id, firstMs, strayed, report);
      for await (const batch of file.elements(report)) {
        for (const candidate of batch) reader.take(candidate);
        yield reader.overflow();
      }
      yield reader.rest();
    },
  };
}

/** Facts about an export that are determined before its first entry is read. */
interface ExportSurvey {
  readonly firstText: JsonText | undefined;
  /** Absent if no element has a time. The messages are then numbered. */
  readonly firstMs: number | undefined;
  /** The elements whose included response answers another request. */
  readonly strayed: ReadonlySet<number>;
  /** Whether each element states its sender. */
  readonly statesAll: boolean;
  readonly firstProblem: ReadProblem | undefined;
}

async function survey(file: InspectorFile): Promise<ExportSurvey> {
  let firstText: JsonText | undefined;
  let firstMs: number | undefined;
  let statesAll = true;
  let firstProblem: ReadProblem | undefined;
  const report: ReadReport = (problem) => {
    firstProblem ??= problem;
  };
  const folds = new StrayFolds();
  for await (const batch of file.elements(report)) {
    for (const candidate of batch) {
      const element = elementOf(candidate, report);
      if (element === undefined) continue;
      firstText ??= element.text;
      firstMs ??= timeOfElement(element.view);
      statesAll &&= element.stated !== undefined;
      folds.take(element);
    }
  }
  return { firstText, firstMs, statesAll, strayed: folds.finish(), firstProblem };
}

interface ProtocolElement extends SidedElement {
  readonly place: string;
  readonly view: ObjectView;
  readonly text: JsonText;
  readonly folded: JsonText | undefined;
}

function elementOf(candidate: MessageCandidate, report: ReadReport): ProtocolElement | undefined {
  const { place, line } = candidate;
  const view = viewOf(candidate, report);
  if (view === undefined) return undefined;
  const text = view.textOf('message');
  if (!text?.startsWith('{')) {
    const contract = `inspector transcript ${place} must have a message that is a JSON object`;
    report({ place, what: '"message" is not a JSON object', contract });
    return undefined;
  }
  const response = view.textOf('response') ?? 'null';
  const folded = response.startsWith('{') ? response : undefined;
  if (folded === undefined && response !== 'null') {
    const contract = `inspector transcript ${place} must have a response that is a JSON object`;
    report({ place, what: '"response" is not a JSON object; left out', contract });
  }
  return {
    index: line - 1,
    place,
    view,
    text,
    folded,
    envelope: readEnvelope(text),
    stated: ORIGINS.get(view.string('origin') ?? ''),
    isFolded: folded !== undefined,
    result: () => (folded === undefined ? undefined : ObjectView.of(folded)?.object('result')),
  };
}

const ORIGINS: ReadonlyMap<string, Direction> = new Map([
  ['client', 'client_to_server'],
  ['server', 'server_to_client'],
]);

/** A message that waits until it can be emitted in order. */
interface WaitingRequest extends ReadMessage {
  readonly weight: number;
}

class ElementReader {
  readonly #report: ReadReport;
  readonly #maker: MessageMaker;
  readonly #strayed: ReadonlySet<number>;
  readonly #sides = new ElementSides();
  readonly #window = new TimeWindow<WaitingRequest>();
  readonly #clock: ElementClock;

  constructor(sessionId: string, firstMs: number | undefined, strayed: ReadonlySet<number>, report: ReadReport) {
    this.#report = report;
    this.#maker = new MessageMaker(sessionId);
    this.#strayed = strayed;
    this.#clock = new ElementClock(firstMs, report);
  }

  take(candidate: MessageCandidate): void {
    const element = elementOf(candidate, this.#report);
    if (element === undefined) return;
    const { view, place, text, folded, index } = element;
    const direction = this.#sides.take(element);
    const atMs = this.#clock.startOf(view, place);
    const transcript = view.only((key) => key !== 'message' && key !== 'response');
    this.#add({ text, atMs, direction, ...(transcript !== undefined && { keepsakes: { transcript } }) }, candidate);
    if (folded === undefined) return;
    const answering = this.#strayed.has(index) ? direction : opposite(direction);
    this.#add({ text: folded, atMs: this.#clock.endOf(view, atMs), direction: answering }, candidate);
  }

  overflow(): Entry[] {
    return this.#window.takeOverflow().map((waiting) => this.#made(waiting));
  }

  rest(): Entry[] {
    return this.#window.takeAll().map((waiting) => this.#made(waiting));
  }

  #add(seen: ReadMessage, { line }: MessageCandidate): void {
    this.#window.add({ ...seen, sourceLine: line, weight: seen.text.length });
  }

  #made({ weight: _, ...seen }: WaitingRequest): Entry {
    return this.#maker.make(seen);
  }
}
