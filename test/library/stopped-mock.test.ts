import { expect, it } from 'vitest';
import { sessionText } from '../support/session-texts.ts';
import { UserProject } from './user-project.ts';

/** A recorded call whose server sent change notifications for 40 seconds after its response. */
const LONG = sessionText([
  { payload: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"watch","arguments":{}}}' },
  { payload: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', from: '<', more: '"correlated_id":"msg-001"' },
  ...Array.from({ length: 40 }, () => ({
    payload: '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}',
    from: '<' as const,
  })),
]);

/** A mock answers clients of both eras, one over HTTP, and is stopped. */
const SCRIPT = `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startMock } from 'mcpreel';

const mock = await startMock('long.json', { timing: 'recorded' });
const about = { name: 'user', version: '1.0.0' };
const near = new Client(about);
await near.connect(mock.transport);
const far = new Client(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
await far.connect(new StreamableHTTPClientTransport(new URL(mock.url)));
await Promise.all([near, far].map((client) => client.callTool({ name: 'watch', arguments: {} })));
console.log((await mock.stop()).answered);
`;

it('lets a program exit after it stops its mock, even with messages pending', async () => {
  const project = new UserProject();
  project.write('long.json', LONG);
  project.write('script.js', SCRIPT);
  expect(await project.node(['script.js'])).toEqual({ code: 0, output: '2\n' });
});
