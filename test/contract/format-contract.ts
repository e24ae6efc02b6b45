import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormatReader, FormatWriter } from '../../src/formats/format.ts';
import { detectFormat, readers, writers } from '../../src/formats/registry.ts';
import { compact, pretty } from '../../src/json/layout.ts';
import { ReelError } from '../../src/model/errors.ts';
import type { RecordedSession } from '../../src/model/session.ts';
import { isLongRun } from '../support/long-run.ts';
import { event, footer, fullSession, header, message, response, session } from './factories.ts';
import { corpusBytes, corpusNames, entriesIn, readAll, writeAll } from './files.ts';
import { fitting, held, heldText, takes } from './losses.ts';
import { sourceOf } from './memory-source.ts';
import { anySession } from './random-sessions.ts';

/** Larger than any chunk, so that a message spans several; in long runs larger than any usual message. */
const LONG_MIB = isLongRun ? 8 : 1;
/** The step in bytes between the tested lengths of file heads. */
const HEAD_STEP = isLongRun ? 3 : 17;

export interface FormatExpectations {
  /** The folder in test/corpus with files of this format. */
  readonly corpus: string;
  /** How many bytes of a usual file are needed to detect the format. */
  readonly knownAfterBytes: number;
  /** Other formats that may also claim some of these files. */
  readonly mayAlsoBe?: readonly string[];
}

/** The formats that store messages, and not only their meaning. */
const messageWriters = writers.filter(({ loses }) => !loses.includes('messages as sent'));

/** The tests that every format must pass; each format's test file calls it. Damaged files are covered by test/fuzz. */
export function describeFormat(format: FormatReader & FormatWriter, expectations: FormatExpectations): void {
  describe(`${format.id} as a readable and writable format`, () => {
    describeRoundTrip(format);
    describeTexts(format);
    describeTruncation(format);
    describeHostileInput(format, expectations);
  });
  describeReader(format, expectations);
}

/** The tests that every reader must pass for the files in its corpus folder. */
function describeReader(reader: FormatReader, { corpus, knownAfterBytes, mayAlsoBe }: FormatExpectations): void {
  describe(`${reader.id} as a readable format`, () => {
    describe.each(corpusNames(corpus))(`test/corpus/${corpus}/%s`, (name) => {
      const bytes = corpusBytes(`${corpus}/${name}`);

      it('the file is recognized, and no other format is certain of it', () => {
        expectRecognised(reader, bytes, Math.min(bytes.length, knownAfterBytes), mayAlsoBe);
      });

      it('the file reads the same in chunks of any size', async () => {
        const whole = await readAll(reader, bytes);
        for (const cuts of [1, 7, 4096]) {
          const { session: again, ...rest } = await readAll(reader, sourceOf(bytes, 'memory', cuts));
          expect({ ...rest, header: again.header, footer: again.footer }).toEqual({
            entries: whole.entries,
            messages: whole.messages,
            problems: whole.problems,
            header: whole.session.header,
            footer: whole.session.footer,
          });
        }
      });

      it('the file returns the same entries each time it is read', async () => {
        const { session: opened, entries } = await readAll(reader, bytes);
        expect(await entriesIn(opened)).toEqual(entries);
      });

      it('the file is converted to every format without changing a message', async () => {
        const { session: opened, messages, problems } = await readAll(reader, bytes);
        // A line that could not be read is copied, and its copy cannot be read either.
        const known = new Set(problems.map(withoutPlace));
        for (const writer of messageWriters) {
          const text = await write(writer, opened);
          if (isWithoutMessages(text)) continue;
          const copy = await readAll(readerOf(writer), text);
          const texts = (of: typeof messages): string[] => of.map(({ text }) => heldText(compact(text), writer));
          const inOrder = (of: string[]): string[] =>
            writer.loses.includes('the order of messages within a millisecond') ? of.sort() : of;
          expect(inOrder(texts(copy.messages))).toEqual(inOrder(texts(messages)));
          const added = copy.problems.filter((problem) => !known.has(withoutPlace(problem)));
          expect(added.filter((problem) => !problem.includes('is used'))).toEqual([]);
        }
      });
    });
  });
}

/** Readers refuse a file that says nothing but that there are no messages. */
function isWithoutMessages(text: string): boolean {
  return text === '' || text === '[]\n';
}

/** A problem without the line or message that has it. */
function withoutPlace(problem: string): string {
  return problem.replace(/^\S+ \d+: /, '');
}

function describeRoundTrip(format: FormatReader & FormatWriter): void {
  it('preserves one entry of every kind, except what the format declares as lost', async () => {
    const { session: copy, problems } = await readAll(format, await write(format, fullSession()));
    expect(await held(copy, format)).toEqual(await held(fullSession(), format));
    expect(problems).toEqual([]);
  });

  it('preserves any session, and writes the same bytes again', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.integer({ min: 1, max: 400 }), async (original, cuts) => {
        const text = await write(format, original);
        if (isWithoutMessages(text)) return;
        const { session: copy, problems } = await readAll(format, sourceOf(text, 'memory', cuts));
        expect(await held(copy, format)).toEqual(await held(original, format));
        expect(await writeAll(format, copy)).toBe(text);
        expect(problems).toEqual([]);
      }),
    );
  });

  it('returns the same entries for any chunking', async () => {
    const bytes = new TextEncoder().encode(await write(format, fullSession()));
    const { entries } = await readAll(format, bytes);
    expect((await readAll(format, sourceOf(bytes, 'memory', 1))).entries).toEqual(entries);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
        expect((await readAll(format, sourceOf(bytes, 'memory', cuts))).entries).toEqual(entries);
      }),
    );
  });
}

function describeTexts(format: FormatReader & FormatWriter): void {
  const oneLine: Readonly<Record<string, string>> = {
    'numbers beyond a double, escapes and __proto__':
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"x","params":{"b":1.0,"a":"\\u00e9","__proto__":{"y":1e400}}}',
    'keys that occur twice':
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"b","params":{"k":1,"k":2},"params":{}}',
    'lone surrogates, as escapes':
      '{"jsonrpc":"2.0","id":"\\ud800","method":"\\udc00x","params":{"\\uD83D":"\\uDE00"}}',
    'characters that some tools take for line ends':
      '{"jsonrpc":"2.0","method":"x","params":{"a":"\u2028\u2029\u0085"}}',
    'no member at all': '{ }',
    '100,000 levels': `{"jsonrpc":"2.0","method":"x","params":${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}}`,
    [`${LONG_MIB} MB`]: `{"jsonrpc":"2.0","method":"x","params":{"data":"${'a€\\n'.repeat((LONG_MIB << 20) / 6)}"}}`,
  };

  it.each(Object.keys(oneLine).filter((name) => takes(oneLine[name] ?? '', format)))(
    'keeps the text of a message exactly: %s',
    async (name) => {
      const text = oneLine[name] ?? '';
      const { messages } = await readAll(format, await writeAll(format, session([message({ text }), response()])));
      // Not `toBe`, which would print a diff of several megabytes.
      expect(messages.map((read) => heldText(read.text, format) === text)).toEqual([true, false]);
    },
  );

  it('keeps every token of a message that spans several lines', async () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"a\\r\\nb","params":{"x":[1.0,{"__proto__":"\\u000a"}],"y":{}}}';
    for (const tall of [pretty(text), pretty(text).replaceAll('\n', '\r\n'), pretty(text).replaceAll('\n', '\r')]) {
      const written = await writeAll(format, session([message({ text: tall }), response()]));
      const { messages, problems } = await readAll(format, written);
      expect(messages.map((read) => heldText(compact(read.text), format))).toEqual([text, response().text]);
      expect(problems).toEqual([]);
      expect(await writeAll(format, (await readAll(format, written)).session)).toBe(written);
    }
  });
}

function describeTruncation(format: FormatReader & FormatWriter): void {
  it('returns every complete message wherever the file is cut off', async () => {
    const original = fullSession();
    const bytes = new TextEncoder().encode(await write(format, original));
    const messages = (await readAll(format, bytes)).messages.map(({ text }) => text);
    const completeAt = await placesWhereMessagesEnd(format, original, bytes);
    // Covers every end of a message, and outside long runs only every seventh byte between them.
    const isTried = (length: number): boolean =>
      isLongRun || length % 7 === 0 || completeAt.some((end) => Math.abs(end - length) <= 2);
    for (let length = 0; length <= bytes.length; length++) {
      if (!isTried(length)) continue;
      const read = await readOrRefuse(format, bytes.subarray(0, length));
      const texts = read?.messages.map(({ text }) => text) ?? [];
      expect(texts).toEqual(messages.slice(0, texts.length));
      expect(texts.length).toBeGreaterThanOrEqual(completeAt.filter((end) => end <= length).length);
    }
  });
}

/** Where the file with fewer messages starts to differ, which is where its last message is complete. */
async function placesWhereMessagesEnd(
  format: FormatWriter,
  original: RecordedSession,
  bytes: Uint8Array,
): Promise<number[]> {
  const places: number[] = [];
  const entries = [];
  for await (const batch of original.batches()) {
    for (const entry of batch) {
      entries.push(entry);
      if (entry.kind !== 'message') continue;
      const shorter = new TextEncoder().encode(await write(format, session(entries, original)));
      places.push(shorter.findIndex((byte, index) => byte !== bytes[index]));
    }
  }
  return places.map((place) => (place < 0 ? bytes.length : place));
}

function describeHostileInput(
  format: FormatReader & FormatWriter,
  { knownAfterBytes, mayAlsoBe }: FormatExpectations,
): void {
  it('recognizes its own files by their first bytes, and no other format is certain of them', async () => {
    const bytes = new TextEncoder().encode(await write(format, fullSession()));
    for (let length = knownAfterBytes; length <= Math.min(bytes.length, 4096); length += HEAD_STEP) {
      expectRecognised(format, bytes, length, mayAlsoBe);
    }
  });

  it('handles objects with thousands of members', async () => {
    const members = Array.from({ length: 8000 }, (_, n) => `"x${n}":${n}`).join(',');
    const many = `{"method":"x",${members}}`;
    const keepsakes = { session: many, trace: many, transcript: many };
    const entries = [message({ text: many, keepsakes }), event({ raw: many, keepsakes }), response()];
    const original = session(entries, {
      header: header({ keepsakes }),
      footer: footer({ keepsakes: { trace: many } }),
    });
    const text = await writeAll(format, original);
    expect((await writeAll(format, (await readAll(format, text)).session)) === text).toBe(true);
  });
}

async function readOrRefuse(
  format: FormatReader,
  bytes: Uint8Array,
): Promise<Awaited<ReturnType<typeof readAll>> | undefined> {
  try {
    return await readAll(format, bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(ReelError);
    return undefined;
  }
}

function expectRecognised(
  format: FormatReader,
  bytes: Uint8Array,
  length: number,
  mayAlsoBe: readonly string[] = [],
): void {
  const head = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, Math.min(length, 4096)));
  expect(format.detect(head)).not.toBe('no');
  expect([format.id, ...mayAlsoBe]).toContain(detectFormat(head)?.id);
  const certain = readers.filter((reader) => reader.detect(head) === 'certain').map(({ id }) => id);
  expect(certain.filter((id) => id !== format.id && !mayAlsoBe.includes(id))).toEqual([]);
}

/** The text that a writer produces for the part of a session that it supports. */
function write(writer: FormatWriter, whole: RecordedSession): Promise<string> {
  return writeAll(writer, fitting(whole, writer));
}

function readerOf(writer: FormatWriter): FormatReader {
  const reader = readers.find(({ id }) => id === writer.id);
  if (reader === undefined) throw new Error(`${writer.id} can be written and not read.`);
  return reader;
}
