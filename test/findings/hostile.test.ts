import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FINDING_KINDS, type Finding } from '../../src/analysis/findings/finding.ts';
import { findingsIn } from '../../src/analysis/findings/session-findings.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { RecordedSession } from '../../src/model/session.ts';
import { event } from '../contract/factories.ts';
import { anySession, jsonLine } from '../contract/random-sessions.ts';
import { client, ended, server } from './dialogue.ts';

async function expectSound(session: RecordedSession): Promise<void> {
  const options = { baseline: new Map([['x', 'no JSON']]), detectSecrets: () => [{ kind: 'k', place: 'p' }] };
  const findings: Finding[] = [];
  for await (const finding of findingsIn(session, options)) findings.push(finding);
  for (const { code, severity, message, sequences } of findings) {
    expect(FINDING_KINDS[code].severity).toBe(severity);
    expect(message).toMatch(/^[^\n\r]+\.$/);
    expect(message.length).toBeLessThan(1000);
    expect(sequences.every(Number.isInteger)).toBe(true);
  }
}

const id = fc.oneof(fc.nat(3), fc.constantFrom('a', null, 1.5, -1));
const method = fc.constantFrom(
  ...['initialize', 'notifications/initialized', 'tools/list', 'tools/call', 'ping', 'server/discover', 'roots/list'],
  ...['notifications/cancelled', 'notifications/tools/list_changed', 'subscriptions/listen', 'tasks/get', ''],
);
const anything = jsonLine.map((text) => JSON.parse(text) as unknown);
const meta = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.oneof(fc.constantFrom('2026-07-28', '2025-11-25'), anything),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), anything),
  },
  { requiredKeys: [] },
);
const schema = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    anything,
    fc.record(
      {
        type: fc.constantFrom('object', 'array', 'string', 7),
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')),
        items: tie('schema'),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        $ref: fc.constantFrom('#', '#/properties/a', 'x'),
        pattern: fc.constantFrom('^a+$', '(a+)+$', '('),
        required: anything,
        enum: anything,
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;
const tool = fc.record(
  { name: fc.constantFrom('x', 'y'), inputSchema: schema, outputSchema: schema },
  { requiredKeys: ['name'] },
);
const params = fc.oneof(
  anything,
  fc.record(
    {
      name: fc.constantFrom('x', 'y'),
      arguments: anything,
      requestId: id,
      capabilities: anything,
      _meta: fc.oneof(meta, anything),
    },
    { requiredKeys: [] },
  ),
);
const result = fc.oneof(
  anything,
  fc.record({ tools: fc.oneof(fc.array(tool, { maxLength: 3 }), anything) }),
  fc.record(
    {
      structuredContent: anything,
      protocolVersion: anything,
      capabilities: anything,
      resultType: fc.constantFrom('input_required', 'complete'),
      inputRequests: anything,
      isError: fc.boolean(),
      content: anything,
    },
    { requiredKeys: [] },
  ),
);
const place = fc.record(
  {
    http: fc.constantFrom('{"exchange":0}', '{"exchange":1}', '[]', '{'),
    conversation: fc.nat(1),
    batch: fc.constantFrom('{"frame":0,"index":0,"of":1}', '7'),
  },
  { requiredKeys: [] },
);
const say = fc.constantFrom(client, server);
const talk: fc.Arbitrary<Entry> = fc.oneof(
  fc
    .tuple(say, id, method, params, place)
    .map(([by, n, name, given, where]) => by({ id: n, method: name, params: given }, where)),
  fc.tuple(say, method, params, place).map(([by, name, given, where]) => by({ method: name, params: given }, where)),
  fc.tuple(say, id, result, place).map(([by, n, given, where]) => by({ id: n, result: given }, where)),
  fc.tuple(say, id, anything, place).map(([by, n, given, where]) => by({ id: n, error: given }, where)),
  fc
    .tuple(
      fc.constantFrom('http.exchange', 'stdio.noise', 'mcpreel.gap'),
      fc.oneof(
        anything,
        fc.record(
          {
            exchange: fc.oneof(fc.nat(1), anything),
            method: fc.oneof(fc.constantFrom('POST', 'DELETE'), anything),
            path: anything,
            status: fc.oneof(fc.constantFrom(200, 401, 500), anything),
            requestHeaders: fc.oneof(fc.constant([['Mcp-Session-Id', 'a']]), anything),
            responseHeaders: anything,
            error: anything,
          },
          { requiredKeys: [] },
        ),
      ),
    )
    .map(([name, raw]) => event({ event: name, raw: JSON.stringify(raw) })),
);

describe('findings', () => {
  it('describes every finding in a sentence for any session', async () => {
    await fc.assert(fc.asyncProperty(anySession, expectSound));
  });

  it('describes every finding in a sentence however client and server misbehave', async () => {
    const sessions = fc.array(talk, { maxLength: 25 }).map((entries) => ended(entries));
    await fc.assert(fc.asyncProperty(sessions, expectSound));
  });
});
