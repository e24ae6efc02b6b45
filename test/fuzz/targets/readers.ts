import { isMessage, NO_OTHER_OBJECTS } from '../../../src/formats/bare-messages.ts';
import type { FormatReader, FormatWriter, ReadProblem } from '../../../src/formats/format.ts';
import { detectFormat, readers, writers } from '../../../src/formats/registry.ts';
import { compact } from '../../../src/json/layout.ts';
import type { Entry } from '../../../src/model/entry.ts';
import type { RecordedSession } from '../../../src/model/session.ts';
import { entriesIn, writeAll } from '../../contract/files.ts';
import { fitting, heldText } from '../../contract/losses.ts';
import { type Cuts, sourceOf } from '../../contract/memory-source.ts';
import { sessionFileText, traceText, transcriptText } from '../../contract/random-files.ts';
import { Random } from '../random.ts';
import { corpusSeeds, randomSeeds, textSeeds } from '../seeds.ts';
import { hold, outcomeOf, same, type Target } from '../target.ts';

/** What a reader returns for a file. */
interface Reading {
  readonly session: RecordedSession;
  readonly entries: readonly unknown[];
  readonly problems: readonly string[];
}

const CUT_TRANSCRIPTS = [
  '{"transport":"streamable-http","entries":[',
  '{"transport":"streamable-http","entries":[{"sse":{"data":',
];

const MORE_SEEDS: Readonly<Record<string, () => Uint8Array[]>> = {
  trace: () => randomSeeds(traceText),
  json: () => randomSeeds(sessionFileText),
  'streamable-http': () => [...randomSeeds(transcriptText('streamable-http')), ...textSeeds(...CUT_TRANSCRIPTS)],
  'http-sse': () => randomSeeds(transcriptText('http-sse')),
};

const FOLDERS: Readonly<Record<string, string>> = { json: 'session-file' };

/** Fuzzes each reader, and writes what it read in its own and other formats. */
export const readerTargets: readonly Target[] = readers.map((reader) => ({
  name: `read-${reader.id}`,
  perSecond: 120,
  seeds: () => [...corpusSeeds(FOLDERS[reader.id] ?? reader.id), ...(MORE_SEEDS[reader.id]?.() ?? [])],
  check: (input) => checkReader(reader, input),
}));

async function checkReader(reader: FormatReader, input: Uint8Array): Promise<void> {
  const random = Random.of(input);
  checkDetection(input);
  const whole = await outcomeOf(() => read(reader, input));
  const cuts = input.length < 1500 && random.oneIn(2) ? 1 : random.cuts(input.length, 8);
  same(comparable(await outcomeOf(() => read(reader, input, cuts))), comparable(whole), 'any chunks read the same');
  if (!('value' in whole)) return;
  const { session, entries, problems } = whole.value;
  same((await entriesIn(session)).map(bare), entries, 'a second reading gives the same entries');
  await checkStrictness(reader, input, problems);
  const own = writers.find(({ id }) => id === reader.id);
  for (const writer of new Set([...(own ? [own] : []), random.pick(writers)]))
    await checkWriter(writer, session, entries, problems);
}

function checkDetection(input: Uint8Array): void {
  const head = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input.subarray(0, 4096));
  detectFormat(head);
}

async function read(reader: FormatReader, input: Uint8Array, cuts?: Cuts): Promise<Reading> {
  const problems: string[] = [];
  const onProblem = ({ place, what }: ReadProblem): void => void problems.push(`${place}: ${what}`);
  const session = await reader.read(sourceOf(input, 'memory', cuts), { onProblem });
  const entries = (await entriesIn(session)).map(bare);
  return { session, entries, problems };
}

/** A problem without its place. */
function whatOf(problem: string): string {
  return problem.slice(problem.indexOf(': ') + 2);
}

function comparable(outcome: { value: Reading } | { refusal: string }): unknown {
  if ('refusal' in outcome) return outcome;
  const { session, entries, problems } = outcome.value;
  const { format, header, footer } = session;
  // A session file has two lists that are read in parallel, so the order of their problems depends on the chunks.
  return bare({ entries, problems: format === 'json' ? problems.toSorted() : problems, header, footer });
}

/** With strict reading, a file fails if and only if it has a problem. */
async function checkStrictness(reader: FormatReader, input: Uint8Array, problems: readonly string[]): Promise<void> {
  const first = new Error('the first problem');
  let reported: string | undefined;
  try {
    const onProblem = ({ place, what }: ReadProblem): void => {
      reported ??= `${place}: ${what}`;
      throw first;
    };
    await entriesIn(await reader.read(sourceOf(input), { onProblem }));
  } catch (error) {
    if (error !== first) throw error;
  }
  same(reported, problems[0], 'strict reading fails at the first problem');
}

async function checkWriter(
  writer: FormatWriter,
  session: RecordedSession,
  entries: readonly unknown[],
  problems: readonly string[],
): Promise<void> {
  const first = await outcomeOf(() => writeAll(writer, fitting(session, writer)));
  const reader = readers.find(({ id }) => id === writer.id);
  // A file without a message is refused by some readers.
  if (!('value' in first) || reader === undefined || ['', '[]'].includes(first.value.trim())) return;
  const input = new TextEncoder().encode(first.value);
  const copy = await read(reader, input);
  // A line that was copied has the problem that it had. Only the first fault of each part of a file is reported, and
  // those of members not at all if the file is damaged: another fault of the original may come to light in the copy.
  const known = new Set(problems.map(whatOf));
  const mayBeKnown = (what: string): boolean =>
    known.has(what) || (known.size > 0 && / must be .+, found | is missing; /s.test(what));
  hold(
    copy.problems.every((problem) => problem.includes('is used') || mayBeKnown(whatOf(problem))),
    `${writer.id} is read without a problem`,
    () => copy.problems,
  );
  if (!writer.loses.includes('messages as sent')) {
    const sort = writer.loses.includes('the order of messages within a millisecond');
    same(textsOf(copy.entries, writer, sort), textsOf(entries, writer, sort), `${writer.id} keeps every message`);
  }
  same(await writeAll(writer, copy.session), first.value, `${writer.id} is written the same again`);
}

function textsOf(entries: readonly unknown[], writer: FormatWriter, sorted: boolean): string[] {
  const holdsAll = !writer.loses.includes(NO_OTHER_OBJECTS);
  const messages = (entries as Entry[])
    .filter((entry) => entry.kind === 'message')
    .filter(({ text }) => holdsAll || isMessage(text));
  const texts = messages.map(({ text }) => heldText(compact(text), writer));
  return sorted ? texts.sort() : texts;
}

/** Treats missing and undefined fields as equal. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, bare(part)]])),
  );
}
