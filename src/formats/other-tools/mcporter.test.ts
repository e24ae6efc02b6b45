import { describe, expect, it } from 'vitest';
import { corpusText, outline, readAll } from '../../../test/contract/files.ts';
import { mcporter } from './mcporter.ts';

describe('an mcporter recording', () => {
  it('reads sent messages as the client’s, with one conversation per server', async () => {
    const { session, entries, messages } = await readAll(mcporter, corpusText('mcporter/two-servers.ndjson'));
    expect(outline(entries)).toEqual([
      ...['mcporter.lifecycle', '> tools/call', '> tools/list', '< answers 1', '< answers 0', 'mcporter.lifecycle'],
    ]);
    expect(messages.map(({ conversation }) => conversation)).toEqual([undefined, 1, 1, undefined]);
    expect(messages.map(({ atMs }) => atMs - Date.parse('2026-05-16T12:00:00Z'))).toEqual([100, 200, 300, 400]);
    expect(session.header).toMatchObject({ label: 'linear', startedAtMs: Date.parse('2026-05-16T12:00:00Z') });
  });

  it('removes only the members that mcporter added to a message', async () => {
    const { messages } = await readAll(mcporter, corpusText('mcporter/two-servers.ndjson'));
    expect(messages.map(({ text }) => text)).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_issues","arguments":{"limit":5}, "_meta":{"progressToken":1}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
      '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
    ]);
    expect(messages[3]?.keepsakes).toEqual({ transcript: '{"server":"linear","attempt":2}' });
  });
});
