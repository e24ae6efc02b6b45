import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storedSessions } from './stored-sessions.ts';

// Without a collection first, garbage would count as used memory.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  mkdirSync(join(folder, 'sessions'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SESSIONS = 2000;

function writeSession(n: number): void {
  const id = `${n.toString(16).padStart(8, '0')}-6f0e-4c58-9a1e-000000000000`;
  const t = new Date(Date.UTC(2026, 0) + n * 60_000).toISOString();
  const command = ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/me'];
  const lines = [
    { v: 1, type: 'meta', id, startedAt: t, label: 'fs', transport: 'stdio', command, metadata: {} },
    ...[0, 1].map((seq) => ({ t, type: 'msg', dir: 'in', seq, raw: { jsonrpc: '2.0', text: 'x'.repeat(1500) } })),
    { t, type: 'end', exitCode: 0, durationMs: 1 },
  ];
  const name = `${t.replaceAll(/[:.]/g, '-')}-fs-${id.slice(0, 8)}.jsonl`;
  writeFileSync(join(folder, 'sessions', name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

it('keeps less than a kilobyte of each session in memory', async () => {
  for (let n = 0; n < SESSIONS; n++) writeSession(n);
  const inUse = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  await storedSessions(folder);
  const before = inUse();
  const sessions = await storedSessions(folder);
  const grown = inUse() - before;
  expect(sessions).toHaveLength(SESSIONS);
  expect(sessions[0]).toMatchObject({ header: { label: 'fs', command: ['npx', '-y', expect.anything(), '/home/me'] } });
  expect(grown / SESSIONS).toBeLessThan(1000);
});
