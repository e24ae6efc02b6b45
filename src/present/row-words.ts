import { saysFailure } from '../analysis/filter/filter-subject.ts';
import { ObjectView } from '../json/object-view.ts';
import { decodeString, scanMembers, skipSpace } from '../json/scan.ts';
import type { Entry, MessageEntry } from '../model/entry.ts';
import { envelopeOf } from '../protocol/envelope.ts';
import { textHead } from './text-head.ts';

/** The words that a row shows for an entry. */
export interface RowWords {
  /** The tool, the method, or the kind of entry. */
  readonly name: string;
  /** A short summary of the request or response. */
  readonly brief: string;
  /** The JSON-RPC id as sent. */
  readonly id: string | undefined;
  readonly isResponse: boolean;
  readonly isRequest: boolean;
  readonly failed: boolean;
}

const MAX_WORDS = 200;
const remembered = new WeakMap<Entry, RowWords>();

/** The words for an entry's row. They are cached, because a message may be long. */
export function wordsOf(entry: Entry): RowWords {
  let words = remembered.get(entry);
  if (words === undefined) {
    words = entry.kind === 'message' ? messageWords(entry) : eventWords(entry);
    remembered.set(entry, words);
  }
  return words;
}

function messageWords(message: MessageEntry): RowWords {
  const { kind, id, method } = envelopeOf(message);
  const about = {
    id: id && textHead(id, MAX_WORDS),
    isResponse: kind === 'response',
    isRequest: kind === 'request',
    failed: false,
  };
  if (kind === 'response') {
    const failed = saysFailure(message.text);
    return { ...about, name: '(response)', brief: failed ? failureIn(message.text) : '', failed };
  }
  if (method === undefined) return { ...about, name: '(not JSON-RPC)', brief: textHead(message.text, MAX_WORDS) };
  const params = ObjectView.of(message.text)?.object('params');
  const name = method === 'tools/call' ? params?.string('name') : undefined;
  const brief = name === undefined ? namedIn(params) : firstScalar(params?.textOf('arguments'));
  return { ...about, name: textHead(name ?? method, MAX_WORDS), brief: textHead(brief, MAX_WORDS) };
}

function failureIn(text: string): string {
  const message = ObjectView.of(text);
  const error = message?.object('error');
  if (error !== undefined)
    return textHead(`${error.textOf('code') ?? ''} ${error.string('message') ?? ''}`.trim(), MAX_WORDS);
  const content = message?.object('result')?.textOf('content') ?? '';
  const [, sent] = /"text"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(content.slice(0, 10_000)) ?? [];
  return sent === undefined ? 'failed' : textHead(decodeString(sent), MAX_WORDS);
}

/** The resource, prompt, level or other name that a request refers to. */
function namedIn(params: ObjectView | undefined): string {
  for (const key of ['uri', 'name', 'level', 'requestId', 'message', 'data', 'status']) {
    const value = params?.string(key);
    if (value !== undefined) return value;
  }
  return '';
}

/** The first scalar argument. */
function firstScalar(text: string | undefined): string {
  if (text === undefined) return '';
  let found: string | undefined;
  scanMembers(text, skipSpace(text, 0), ({ start, end }) => {
    const first = text.charAt(start);
    if (found !== undefined || first === '{' || first === '[') return;
    const value = text.slice(start, end);
    found = first === '"' ? decodeString(value) : value;
  });
  return found ?? '';
}

const EVENT_NAMES: Readonly<Record<string, string>> = {
  'stdio.stderr': 'stderr',
  'stdio.noise': 'stray output',
  'mcpreel.gap': 'gap',
  'http.exchange': 'http',
  'mcpreel.action': 'action',
};

function eventWords(entry: Exclude<Entry, MessageEntry>): RowWords {
  const about = { id: undefined, isResponse: false, isRequest: false, failed: false };
  if (entry.kind === 'other') return { ...about, name: entry.type ?? 'other', brief: textHead(entry.text, MAX_WORDS) };
  const sent = entry.event === 'mcpreel.gap' ? gapWords(entry.raw) : ObjectView.of(entry.raw)?.string('text');
  return { ...about, name: EVENT_NAMES[entry.event] ?? entry.event, brief: textHead(sent ?? entry.raw, MAX_WORDS) };
}

/** What a gap lacks and why: `3 entries missing: disk full`; `undefined` for one without these facts. */
function gapWords(raw: string): string | undefined {
  const gap = ObjectView.of(raw);
  const missed = gap?.number('missed');
  const why = gap?.string('why');
  if (missed === undefined && why === undefined) return undefined;
  const what = missed === undefined ? 'part' : missed === 1 ? '1 entry' : `${missed} entries`;
  return `${what} missing${why === undefined ? '' : `: ${why}`}`;
}
