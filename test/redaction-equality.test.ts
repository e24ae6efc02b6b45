import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf, redactedPieces } from '../src/cli/input/redacted-source.ts';
import type { FormatReader, FormatWriter } from '../src/formats/format.ts';
import { httpSse, streamableHttp } from '../src/formats/http-transcript/http-transcript.ts';
import { inspector } from '../src/formats/inspector/inspector.ts';
import { sessionFile } from '../src/formats/session-file/session-file.ts';
import { trace } from '../src/formats/trace/trace.ts';
import { redactedSession } from '../src/redact/redacted-session.ts';
import type { RedactionRules } from '../src/redact/redaction-rules.ts';
import { compileRules } from '../src/redact/redactor-for.ts';
import { CaptureText } from '../src/redact/rewrite/capture-text.ts';
import { corpusText, readAll, writeAll } from './contract/files.ts';
import { sourceOf } from './contract/memory-source.ts';
import { anySession } from './contract/random-sessions.ts';
import { inLongRuns } from './support/long-run.ts';

type Format = FormatReader & FormatWriter;

const NONE: RedactionRules = { mode: 'off', keys: [], values: [], paths: [] };
/** Among them are those that match times, directions, ids, transports and types. */
const VALUES = String.raw`\d{4}-\d\d-\d\d|server|client|in|out|event|stdio|http|\d+|[0-9a-f]{8}|.+|\w+|message|[a-z]|"[^"]*"|true|\[|-|\.|:`;
const KEYS =
  'id t type raw dir direction kind messages payload http exchange timestamp label metadata status method params text url name';
const RULES: readonly RedactionRules[] = [
  { ...NONE, mode: 'secrets' },
  { ...NONE, mode: 'strict' },
  ...VALUES.split('|').map((value) => ({ ...NONE, values: [value] })),
  ...KEYS.split(' ').map((key) => ({ ...NONE, keys: [key] })),
  ...['$.id', '$.params', '$.result.content[*].text', '$..text', '$.raw'].map((path) => ({ ...NONE, paths: [path] })),
];

async function redacted(format: Format, text: string, rules: RedactionRules): Promise<string> {
  const source = sourceOf(text);
  const capture = new CaptureText({ ...(await compileRules(rules)), salt: 'x' });
  const layout = await layoutOf(source, format.id);
  let result = '';
  for await (const batch of redactedPieces(source, layout, capture, { onLine() {}, onProblem() {} })) {
    result += batch.join('');
  }
  return result;
}

async function exported(format: Format, text: string, rules: RedactionRules): Promise<string> {
  const options = { ...(await compileRules(rules)), salt: 'x' };
  return writeAll(format, redactedSession((await readAll(format, text)).session, options));
}

/** Recordings as mcpreel writes them, with all kinds of entries. */
const RECORDINGS = [
  'trace/mcpreel.jsonl',
  'session-file/http.json',
  'trace/edited-to-text.jsonl',
  'trace/resumed-stream.jsonl',
  'trace/two-clients.jsonl',
  'session-file/modified.json',
  'golden/2/http.trace',
  'golden/2/stdio.trace',
];
const FORMATS: readonly Format[] = [trace, sessionFile, inspector, streamableHttp, httpSse];

describe('redact and export', () => {
  it.each(inLongRuns(RECORDINGS, RECORDINGS.slice(0, 3)))(
    'write the same for %s in each format, whatever the user has removed',
    async (name) => {
      const reader = name.endsWith('.json') ? sessionFile : trace;
      const { session, entries } = await readAll(reader, corpusText(name));
      const clients = new Set(entries.map((entry) => (entry.kind === 'other' ? undefined : entry.conversation)));
      for (const format of clients.size > 1 ? [trace, sessionFile] : FORMATS) {
        const text = await writeAll(format, session);
        for (const rules of RULES) {
          const expected = await exported(format, text, rules);
          expect(await redacted(format, text, rules), `${format.id} ${JSON.stringify(rules)}`).toBe(expected);
        }
      }
    },
  );

  it('keep the times, directions, ids and types of any session', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.constantFrom(...RULES), fc.constantFrom(trace, sessionFile), async (...all) => {
        const [session, rule, format] = all;
        const before = await readAll(format, await writeAll(format, session));
        const after = await readAll(format, await redacted(format, await writeAll(format, session), rule));
        const frameOf = ({ entries }: typeof before): unknown =>
          entries.map((entry) => [
            entry.kind,
            entry.atMs,
            ...(entry.kind === 'message'
              ? [entry.direction, entry.proxyId, entry.correlatedId, entry.conversation]
              : []),
            ...(entry.kind === 'event' ? [entry.event, entry.conversation] : []),
          ]);
        expect(frameOf(after)).toEqual(frameOf(before));
        expect({ id: after.session.header.id, at: after.session.header.startedAtMs }).toEqual({
          id: before.session.header.id,
          at: before.session.header.startedAtMs,
        });
      }),
    );
  });
});
