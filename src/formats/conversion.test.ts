import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert, corpusNames, corpusText, readAll, writeAll } from '../../test/contract/files.ts';
import {
  eventLine,
  messageLine,
  sessionFileText,
  sessionMessage,
  traceText,
  transcriptText,
} from '../../test/contract/random-files.ts';
import { anySession } from '../../test/contract/random-sessions.ts';
import { compact } from '../json/layout.ts';
import { elementsOf, ObjectView } from '../json/object-view.ts';
import { sameJson } from '../json/same-json.ts';
import { sliceAt } from '../json/splice.ts';
import type { FormatReader, FormatWriter } from './format.ts';
import { httpSse, streamableHttp } from './http-transcript/http-transcript.ts';
import { jsonrpc } from './jsonrpc.ts';
import { sessionFile } from './session-file/session-file.ts';
import { trace } from './trace/trace.ts';

type Format = FormatReader & FormatWriter;

/** The file rewritten in its own format, and the file converted to another format and back. */
async function bothWays(format: Format, via: Format, file: string): Promise<{ rewritten: string; converted: string }> {
  const converted = await convert(via, await convert(format, file, via), format);
  return { rewritten: await convert(format, file, format), converted };
}

/** The file converted to each of these formats in turn, and back to its own. */
async function byWayOf(way: readonly Format[], format: Format, file: string): Promise<string> {
  let text = file;
  let from = format;
  for (const to of [...way, format]) {
    text = await convert(from, text, to);
    from = to;
  }
  return text;
}

/** The members that an object lost. A null or false member may be gone, because its absence means the same. */
function lost(before: string, after: string, except: readonly string[]): string[] {
  const was = ObjectView.of(before);
  const is = ObjectView.of(after);
  return (was?.members ?? []).flatMap(({ key, start, end }) => {
    const value = was?.text.slice(start, end) ?? '';
    const now = is?.textOf(key);
    const isKept = now === undefined ? value === 'null' || value === 'false' : sameJson(value, now);
    return isKept || except.includes(key) ? [] : [key];
  });
}

const THE_MESSAGE =
  '{"jsonrpc":"2.0","id":12345678901234567890,"method":"x","params":{"b":1.0,"a":"\\u00e9","__proto__":{"y":1e400}}}';

describe('a message', () => {
  it('keeps the exact text of a message through trace, session file and JSON-RPC lines, in any order', async () => {
    let text = `${THE_MESSAGE}\n`;
    let from: Format = jsonrpc;
    for (const to of [trace, sessionFile, jsonrpc, sessionFile, trace, jsonrpc]) {
      text = await convert(from, text, to);
      expect((await readAll(to, text)).messages.map((message) => message.text)).toEqual([THE_MESSAGE]);
      from = to;
    }
  });
});

describe('converting a session file to a trace and back', () => {
  it('keeps manual additions to the seed example', async () => {
    const byHand = corpusText('session-file/seed-example.json')
      .replace('"id": "550e', '"owner": {"name": "Zoë", "n": 1.0},\n  "id": "550e')
      .replace('"proxy_id": "msg-001"', '"proxy_id": "msg-001",\n      "reviewed": null,\n      "__proto__": [1e400]')
      .replace('"2026-03-04T10:00:00+00:00"', '"2026-03-04T10:00:00.123456Z"')
      .replace('"2026-03-04T10:00:02+00:00"', '"2026-03-04T15:30:02+05:30"')
      .replace('python -m my_server', "python  -m 'my_server'");
    const { rewritten, converted } = await bothWays(sessionFile, trace, byHand);
    // The example's payloads span several lines, which a trace cannot keep.
    expect(compact(converted)).toBe(compact(rewritten));
    for (const kept of [
      '"n": 1.0',
      '[1e400]',
      '"2026-03-04T10:00:00.123456Z"',
      '"2026-03-04T15:30:02+05:30"',
      "python  -m 'my_server'",
    ]) {
      expect(converted).toContain(kept);
    }
  });

  it.each(corpusNames('session-file'))('keeps the session file unchanged: %s', async (name) => {
    const { rewritten, converted } = await bothWays(sessionFile, trace, corpusText(`session-file/${name}`));
    expect(compact(converted)).toBe(compact(rewritten));
  });

  it('keeps a session file byte for byte if its payloads are on one line', async () => {
    const { rewritten, converted } = await bothWays(sessionFile, trace, corpusText('session-file/by-hand.json'));
    expect(converted).toBe(rewritten);
  });

  it('keeps the session file of any session unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (session) => {
        const text = await writeAll(sessionFile, session);
        expect((await bothWays(sessionFile, trace, text)).converted).toBe(text);
      }),
    );
  });

  it('keeps a session file whose end has neither an exit code nor a duration', async () => {
    const at = '"2026-03-04T10:00:01+00:00"';
    const file = `{"started_at":${at},"ended_at":${at},"messages":[],"trace":{"end":{"exitCode":null}}}`;
    const { rewritten, converted } = await bothWays(sessionFile, trace, file);
    expect(converted).toBe(rewritten);
    expect(converted).not.toContain('exitCode');
  });

  it('keeps the pairing of a request whose sent_text is null', async () => {
    const request = '{"direction":"client_to_server","payload":{"id":1,"method":"a"},"sent_text":null}';
    const answer = '{"direction":"server_to_client","payload":{"id":1,"result":{}}}';
    const { rewritten, converted } = await bothWays(sessionFile, trace, `{"messages":[${request},${answer}]}`);
    expect(converted).toBe(rewritten);
    expect(converted).toMatch(/"correlated_id": "/);
  });

  it('keeps a session file from any producer unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(sessionFileText, async (file) => {
        const { rewritten, converted } = await bothWays(sessionFile, trace, file);
        expect(converted).toBe(rewritten);
      }),
    );
  });
});

describe('converting a trace to a session file and back', () => {
  it.each(corpusNames('trace').filter((name) => name !== 'not-utf8.jsonl'))(
    'keeps the trace unchanged: %s',
    async (name) => {
      const { rewritten, converted } = await bothWays(trace, sessionFile, corpusText(`trace/${name}`));
      expect(converted).toBe(rewritten);
    },
  );

  it('keeps the trace of any session unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (session) => {
        const text = await writeAll(trace, session);
        expect((await bothWays(trace, sessionFile, text)).converted).toBe(text);
      }),
    );
  });

  it('keeps a trace from any producer unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(traceText, async (file) => {
        const { rewritten, converted } = await bothWays(trace, sessionFile, file);
        expect(converted).toBe(rewritten);
      }),
    );
  });
});

describe('converting a transcript to a trace, a session file and back', () => {
  const transcripts = [streamableHttp, httpSse];
  const files = transcripts.flatMap((format) => corpusNames(format.id).map((name) => `${format.id}/${name}`));

  it.each(files)('keeps the transcript unchanged: %s', async (path) => {
    const format = path.startsWith('http-sse/') ? httpSse : streamableHttp;
    const text = corpusText(path);
    const rewritten = await convert(format, text, format);
    const converted = await byWayOf([trace, sessionFile], format, text);
    expect(compact(converted)).toBe(compact(rewritten));
    // Items that are not entries are reported and skipped.
    if (!path.includes('/env-')) expect(sameJson(converted, text)).toBe(true);
  });

  it('stores transcript data in a separate member of the lines and messages it belongs to', async () => {
    const text =
      '{"transport":"streamable-http","by":1.0,"entries":[{"headers":{},"request":{"id":1}},{"timestamp_ms":5,"response":{}}]}';
    const asTrace = await convert(streamableHttp, text, trace);
    expect(asTrace.split('\n').map((line) => sliceAt(line, ['transcript']))).toEqual([
      ...['{"by":1.0}', '{"headers":{},"request":{"unstamped":true}}', undefined, undefined],
    ]);
    const asFile = await convert(trace, asTrace, sessionFile);
    expect(sliceAt(asFile, ['transcript'])).toBe('{"by":1.0}');
    expect(sliceAt(asFile, ['messages', 0, 'transcript'])).toBe('{"headers":{},"request":{"unstamped":true}}');
    expect(sliceAt(asFile, ['messages', 1, 'transcript'])).toBeUndefined();
  });

  it.each(transcripts)('keeps a transcript from any producer unchanged: $id', async ({ ...format }) => {
    await fc.assert(
      fc.asyncProperty(transcriptText(format.id), fc.boolean(), async (text, sessionFileFirst) => {
        const { problems } = await readAll(format, text);
        expect(problems.filter((problem) => !problem.endsWith(' not used'))).toEqual([]);
        expect(sameJson(await convert(format, text, format), text)).toBe(true);
        const way = sessionFileFirst ? [sessionFile, trace] : [trace, sessionFile];
        expect(sameJson(await byWayOf(way, format, text), text)).toBe(true);
      }),
    );
  });
});

describe('rewriting', () => {
  it('loses nothing of a session file from any producer', async () => {
    await fc.assert(
      fc.asyncProperty(sessionFileText, async (file) => {
        const rewritten = await convert(sessionFile, file, sessionFile);
        expect(lost(file, rewritten, ['messages', 'events', 'trace'])).toEqual([]);
      }),
    );
  });

  it('loses nothing of a message in a session file except its sequence number', async () => {
    await fc.assert(
      fc.asyncProperty(sessionMessage, async (message) => {
        const rewritten = await convert(sessionFile, `{"messages":[${message}]}`, sessionFile);
        expect(lost(message, sliceAt(rewritten, ['messages', 0]) ?? '', ['sequence'])).toEqual([]);
      }),
    );
  });

  it('loses nothing of a trace line except its sequence number', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(messageLine, eventLine), async (line) => {
        // A batch becomes several lines.
        fc.pre(elementsOf(sliceAt(line, ['raw']) ?? '') === undefined);
        const rewritten = await convert(trace, `${line}\n`, trace);
        expect(lost(line, rewritten.split('\n')[1] ?? '', ['seq'])).toEqual([]);
      }),
    );
  });
});
