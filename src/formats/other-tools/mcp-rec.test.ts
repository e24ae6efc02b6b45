import { describe, expect, it } from 'vitest';
import { corpusText, outline, readAll } from '../../../test/contract/files.ts';
import { mcpRec } from './mcp-rec.ts';

describe('an mcp-rec recording', () => {
  it('reads times in seconds, stray output and batches', async () => {
    const { session, entries, messages } = await readAll(mcpRec, corpusText('mcp-rec/session.jsonl'));
    expect(outline(entries)).toEqual([
      ...['> initialize', 'stdio.noise', '< answers 0', '> ping', 'stdio.noise', '> notifications/initialized'],
    ]);
    expect(entries.map(({ atMs }) => atMs)).toEqual([
      ...[1772618400250, 1772618400500, 1772618401125, 1772618402000, 1772618402000, 1772618402000],
    ]);
    expect(session.header).toMatchObject({ label: 'session', transport: 'stdio', startedAtMs: 1772618400250 });
    expect(messages[1]?.text).toBe('{"jsonrpc": "2.0", "id": 1, "result": {"a": 1.0}}');
    expect(entries[1]).toMatchObject({ raw: '{"dir":"out","text":"Server ready"}' });
    expect(messages[3]).toMatchObject({
      batch: '{"frame":2,"index":2,"of":3}',
      keepsakes: { transcript: '{"note":"batch"}' },
    });
  });
});
