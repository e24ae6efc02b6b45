import { isMessage, NO_OTHER_OBJECTS } from '../../src/formats/bare-messages.ts';
import type { FormatWriter } from '../../src/formats/format.ts';
import { CONVERSATIONS, TIMES_THAT_GO_BACK } from '../../src/formats/lost-parts.ts';
import { removeAt } from '../../src/json/splice.ts';
import type { Entry, JsonText, MessageEntry } from '../../src/model/entry.ts';
import type { RecordedSession } from '../../src/model/session.ts';
import { entriesIn } from './files.ts';

type Part = keyof MessageEntry | 'header' | 'footer' | 'beside' | 'early';

/** The parts that each phrase of a format's `loses` removes. A format that needs another phrase adds it here. */
const LOSSES: Readonly<Record<string, readonly Part[]>> = {
  times: ['atMs'],
  directions: ['direction'],
  'proxy ids': ['proxyId', 'correlatedId'],
  'originals of edited messages': ['modified', 'original', 'sentText'],
  [NO_OTHER_OBJECTS]: [],
  'dropped and injected marks': ['dropped', 'injected', 'conversation', 'batch', 'http', 'sse'],
  'several conversations': ['conversation'],
  [CONVERSATIONS]: ['conversation'],
  [TIMES_THAT_GO_BACK]: [],
  'times before 1970': ['early'],
  events: ['beside'],
  'HTTP statuses and headers': ['keepsakes'],
  'the session header': ['header', 'footer'],
  'fields of other formats': ['keepsakes'],
  'messages without a time': [],
};

/** The part of a message's text that a format stores; one format adds the time to it. */
export function heldText(text: JsonText, writer: FormatWriter): JsonText {
  return writer.loses.includes('messages without a time') ? withoutStamp(text) : text;
}

function withoutStamp(text: JsonText): JsonText {
  return text.includes('"timestamp_ms":') ? (removeAt(text, ['timestamp_ms']) ?? text) : text;
}

/** Reduces a session to what a format can write: some hold only one conversation, and declare it. */
export function fitting(session: RecordedSession, writer: FormatWriter): RecordedSession {
  const held = writer.loses.includes(NO_OTHER_OBJECTS) ? ofMessages(session) : session;
  if (!writer.loses.includes('several conversations')) return held;
  const alone = (entry: Entry): Entry => (entry.kind === 'message' ? { ...entry, conversation: undefined } : entry);
  return {
    ...held,
    async *batches() {
      for await (const batch of held.batches()) yield batch.map(alone);
    },
  };
}

/** Returns whether a format takes an object for a message. */
export function takes(text: JsonText, writer: FormatWriter): boolean {
  return !writer.loses.includes(NO_OTHER_OBJECTS) || isMessage(text);
}

function ofMessages(session: RecordedSession): RecordedSession {
  return {
    ...session,
    async *batches() {
      let sequence = 0;
      for await (const batch of session.batches()) {
        const messages = batch.filter((entry) => entry.kind !== 'message' || isMessage(entry.text));
        yield messages.map((entry) => (entry.kind === 'message' ? { ...entry, sequence: sequence++ } : entry));
      }
    },
  };
}

/** What a format must return for a session: everything except its declared losses. */
export async function held(session: RecordedSession, writer: FormatWriter): Promise<unknown> {
  const lost = new Set<string>(
    writer.loses.flatMap((phrase) => {
      const parts = LOSSES[phrase];
      if (parts === undefined) throw new Error(`The contract does not know what the loss "${phrase}" means.`);
      return parts;
    }),
  );
  const entries: unknown[] = [];
  for (const entry of await entriesIn(fitting(session, writer))) {
    if (entry.kind === 'message') {
      entries.push(without({ ...entry, text: heldText(entry.text, writer) }, lost));
    } else if (!lost.has('beside')) entries.push(without(entry, lost));
  }
  return without({ header: session.header, footer: session.footer, entries }, lost);
}

/** Treats missing fields, undefined fields and empty unknown fields as equal. */
function without(whole: Entry | object, lost: ReadonlySet<string>): object {
  const times: object = lost.has('early') && 'atMs' in whole ? { atMs: Math.max(0, whole.atMs) } : {};
  const held: object = { ...whole, ...times };
  const parts = Object.entries(held).filter(([key, value]) => !lost.has(key) && !isEmpty(value));
  return Object.fromEntries(
    parts.map(([key, value]) => [key, key === 'header' || key === 'footer' ? without(value, lost) : value]),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((part) => part === undefined)
  );
}
