import { describe, expect, it } from 'vitest';
import { event, footer, fullSession, header, message, other, response } from '../../../test/contract/factories.ts';
import { convert, corpusText, writeAll } from '../../../test/contract/files.ts';
import { trace } from './trace.ts';
import { endLine, entryLine, metaLine } from './trace-writer.ts';

describe('trace lines', () => {
  it('writes the header', () => {
    expect(metaLine(header())).toBe(
      '{"v":1,"type":"meta","startedAt":"2026-03-04T12:00:00.000Z","label":"my_server","command":["python","-m","my_server"],"id":"550e8400-e29b-41d4-a716-446655440000","transport":"stdio","metadata":{}}',
    );
  });

  it('writes the URL of an HTTP target twice, as the format requires', () => {
    const line = metaLine(header({ command: [], url: 'https://example.com/mcp', transport: 'streamable-http' }));
    expect(JSON.parse(line)).toMatchObject({ command: ['https://example.com/mcp'], url: 'https://example.com/mcp' });
  });

  it('writes one entry per line, with its exact text', () => {
    expect(entryLine(message({ text: '{ "id": 1.0 ,"method":"a" }' }), 7)).toBe(
      '{"t":"2026-03-04T12:00:00.000Z","dir":"in","seq":7,"id":"msg-001","raw":{ "id": 1.0 ,"method":"a" }}',
    );
    expect(entryLine(response({ correlatedId: 'msg-000' }), 8)).toBe(
      '{"t":"2026-03-04T12:00:00.000Z","dir":"out","seq":8,"id":"msg-001","corr":"msg-000","raw":{"jsonrpc":"2.0","id":1,"result":{}}}',
    );
    expect(entryLine(event(), 9)).toBe(
      '{"t":"2026-03-04T12:00:00.000Z","type":"event","dir":"event","kind":"stdio.stderr","seq":9,"raw":{"text":"ready"}}',
    );
    expect(entryLine(other({ text: '{"type":"turn",\r\n"n":1}' }), 10)).toBe('{"type":"turn", "n":1}');
  });

  it('writes both the original and the sent text of a modified message', () => {
    expect(entryLine(message({ text: '{"b":1}', modified: true, original: '{"a":1}' }), 4)).toBe(
      '{"t":"2026-03-04T12:00:00.000Z","dir":"in","seq":4,"id":"msg-001","modified":true,"original":{"a":1},"raw":{"b":1}}',
    );
  });

  it('writes the footer, always with an exit code', () => {
    expect(endLine(footer({ exitCode: 143, signal: 'SIGTERM' }))).toBe(
      '{"t":"2026-03-04T12:00:30.000Z","type":"end","exitCode":143,"signal":"SIGTERM","durationMs":30000}',
    );
    expect(endLine(footer({ exitCode: undefined, signal: 'SIGKILL' }))).toBe(
      '{"t":"2026-03-04T12:00:30.000Z","type":"end","exitCode":0,"signal":"SIGKILL","reason":"unknown","durationMs":30000}',
    );
    expect(endLine(footer({ exitCode: undefined, reason: 'client_closed' }))).toBe(
      '{"t":"2026-03-04T12:00:30.000Z","type":"end","exitCode":0,"reason":"client_closed","durationMs":30000,"exitCodeUnknown":true}',
    );
  });

  it('writes unknown fields in their original place, without line breaks', () => {
    const trace = '{"t":"2026-03-04T12:00:00.000123Z",\n"ai":{\r\n"risk":0.10}}';
    const tall = '{\n"a":\r\n1}';
    const line = entryLine(
      message({
        text: tall,
        batch: tall,
        http: tall,
        sse: tall,
        original: tall,
        modified: true,
        keepsakes: { trace, session: tall },
      }),
      0,
    );
    expect(line).not.toMatch(/[\r\n]/);
    expect(JSON.parse(line)).toMatchObject({ t: '2026-03-04T12:00:00.000123Z', ai: { risk: 0.1 }, extra: { a: 1 } });
    expect(entryLine(event({ raw: tall, keepsakes: { trace, session: tall } }), 0)).not.toMatch(/[\r\n]/);
    expect(metaLine(header({ metadata: tall, keepsakes: { trace, session: tall } }))).not.toMatch(/[\r\n]/);
    expect(endLine(footer({ keepsakes: { trace } }))).not.toMatch(/[\r\n]/);
  });
});

describe('writing a trace', () => {
  it('numbers entries by position, including records that have no seq', async () => {
    const lines = (await writeAll(trace, fullSession())).trimEnd().split('\n');
    expect(lines).toHaveLength(14);
    const seqs = lines.slice(1, -1).map((line) => (JSON.parse(line) as { seq?: number }).seq);
    expect(seqs).toEqual([0, 1, 2, undefined, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('rewrites a trace of mcpreel byte for byte', async () => {
    expect(await convert(trace, corpusText('trace/mcpreel.jsonl'), trace)).toBe(corpusText('trace/mcpreel.jsonl'));
  });

  it('rewrites a trace of another tool with all its fields and those that mcpreel adds', async () => {
    const rewritten = await convert(trace, corpusText('trace/wider-v1.jsonl'), trace);
    const line = (text: string, n: number): Record<string, unknown> =>
      JSON.parse(text.trimEnd().split('\n')[n] ?? '') as Record<string, unknown>;
    for (let n = 0; n < 14; n++) {
      const { seq: _, ...sent } = line(corpusText('trace/wider-v1.jsonl'), n);
      expect(line(rewritten, n)).toMatchObject(sent);
    }
    expect(rewritten).toContain('"score":0.10');
    expect(rewritten).toContain('"type":"annotation","text":"kept as it is",  "n":1.0}\n');
  });

  it.each(['null', '"0"'])('writes 0 with the reason unknown for the exit code %s', async (code) => {
    const end = `{"t":"2026-05-12T23:00:30.000Z","type":"end","exitCode":${code},"signal":"SIGKILL","durationMs":1}`;
    expect(await convert(trace, `${metaLine(header())}\n${end}\n`, trace)).toContain(
      '"exitCode":0,"signal":"SIGKILL","reason":"unknown","durationMs":1}',
    );
  });

  it('writes no footer for a session that has not ended', async () => {
    const { footer: _, ...live } = fullSession();
    const text = await writeAll(trace, { ...live, footer: undefined });
    expect(text).not.toContain('"type":"end"');
    expect(text.endsWith('}\n')).toBe(true);
  });
});
