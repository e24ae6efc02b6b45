import { ObjectView } from '../../json/object-view.ts';
import type { FormatConfidence, FormatReader, FormatWriter } from '../format.ts';
import { TIMES_THAT_GO_BACK } from '../lost-parts.ts';
import type { TranscriptFormat } from './transcript-entry.ts';
import { readHttpTranscript } from './transcript-reader.ts';
import { writeHttpTranscript } from './transcript-writer.ts';

/**
 * Reads and writes captures of the Streamable HTTP transport: requests, responses and stream events in one JSON
 * document.
 */
export const streamableHttp: FormatReader & FormatWriter = transcript(
  'streamable-http',
  'Streamable HTTP transcript (JSON)',
);

/** Captures of the older transport from the 2024-11-05 specification, in the same envelope. */
export const httpSse: FormatReader & FormatWriter = transcript('http-sse', 'HTTP+SSE transcript (JSON)');

function transcript(id: TranscriptFormat, title: string): FormatReader & FormatWriter {
  return {
    id,
    title,
    loses: [
      'proxy ids',
      'originals of edited messages',
      'dropped and injected marks',
      'several conversations',
      'times before 1970',
      TIMES_THAT_GO_BACK,
      'events',
      'the session header',
      'fields of other formats',
    ],
    detect: (head) => detect(head, id),
    read: (source, options) => readHttpTranscript(source, options, id),
    write: (session) => writeHttpTranscript(session, id),
  };
}

/** Members of session files, which also name their transport. */
const OF_SESSION_FILES = ['started_at', 'messages', 'server_command', 'server_url'];

/** Members of transcript entries that other arrays named `entries` rarely have. */
const IN_ENTRIES = /"(?:timestamp_ms|transport_context|request|response|sse|jsonrpc)"\s*:/;

function detect(head: string, id: TranscriptFormat): FormatConfidence {
  const text = head.replace(/^\uFEFF/, '');
  const first = ObjectView.ofHead(text);
  const open = first.openMember();
  const has = (key: string): boolean => first.has(key) || open?.key === key;
  if (OF_SESSION_FILES.some(has)) return 'no';
  const start = first.member('entries')?.start ?? (open?.key === 'entries' ? open.start : undefined);
  const hasEntries = start !== undefined && text.charAt(start) === '[';
  if (first.string('transport') === id && (hasEntries || has('transport_context'))) return 'certain';
  return hasEntries && !first.has('transport') && IN_ENTRIES.test(text) ? 'likely' : 'no';
}
