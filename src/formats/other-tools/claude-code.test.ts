import { describe, expect, it } from 'vitest';
import { corpusText, outline, readAll } from '../../../test/contract/files.ts';
import { claudeCode } from './claude-code.ts';

describe('a Claude Code session', () => {
  it('reads only calls to MCP tools, with one conversation per server', async () => {
    const { session, entries, messages } = await readAll(claudeCode, corpusText('claude-code/session.jsonl'));
    expect(outline(entries)).toEqual(['> tools/call', '< answers 0', '> tools/call', '< answers 2']);
    expect(messages.map(({ conversation }) => conversation)).toEqual([undefined, undefined, 1, 1]);
    expect(messages.map(({ atMs }) => atMs - Date.parse('2026-02-03T18:11:42Z'))).toEqual([3000, 4500, 5000, 6000]);
    expect(session.header).toMatchObject({
      id: '0b5f2d7e-1111-4222-8333-444455556666',
      label: 'claude-code',
      startedAtMs: Date.parse('2026-02-03T18:11:42.209Z'),
      keepsakes: { transcript: '{"cwd":"/home/ada","version":"2.1.0","gitBranch":"main"}' },
    });
  });

  it('builds messages from the exact recorded texts and marks them as inferred', async () => {
    const { messages } = await readAll(claudeCode, corpusText('claude-code/session.jsonl'));
    expect(messages.map(({ text }) => text)).toEqual([
      '{"jsonrpc":"2.0","id":"toolu_01","method":"tools/call","params":{"name":"list_issues","arguments":{"limit": 5.0, "q":"\\u00e9"}}}',
      '{"jsonrpc":"2.0","id":"toolu_01","result":{"content":[{"type":"text","text":"2 issues"}],"isError":false}}',
      '{"jsonrpc":"2.0","id":"toolu_03","method":"tools/call","params":{"name":"get__pr","arguments":{"n":1}}}',
      '{"jsonrpc":"2.0","id":"toolu_03","result":{"content":[{"type":"text","text":"Not \\"found\\""}],"isError":true}}',
    ]);
    expect(messages.map(({ keepsakes }) => keepsakes?.transcript)).toEqual([
      '{"inferred":true,"server":"linear"}',
      '{"inferred":true,"server":"linear"}',
      '{"inferred":true,"server":"git_hub"}',
      '{"inferred":true,"server":"git_hub"}',
    ]);
  });

  it('detects a session as certain by a turn, even if cut off, and as likely by the lines before it', () => {
    const [snapshot = '', user = ''] = corpusText('claude-code/session.jsonl').split('\n');
    expect(claudeCode.detect(snapshot)).toBe('likely');
    expect(claudeCode.detect(`${snapshot}\n${user.slice(0, user.indexOf('"content"'))}`)).toBe('certain');
    expect(claudeCode.detect('{"type":"summary","summary":"x","leafUuid":"u"}\n')).toBe('likely');
  });

  it('rejects a session without a call to an MCP tool', async () => {
    const text = corpusText('claude-code/session.jsonl').replaceAll('mcp__', 'own_');
    await expect(readAll(claudeCode, text)).rejects.toMatchObject({
      message: 'No message of claude-code in memory: of its records, 7 without MCP',
    });
  });
});
