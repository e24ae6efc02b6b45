import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLongRuns, isLongRun } from '../support/long-run.ts';
import { MCPREEL } from '../support/mcpreel-process.ts';

/** The size of a message in bytes. */
const SIZE = (isLongRun ? 64 : 24) << 20;
/** Times the size of the message. In a shorter message, what the garbage collector has not freed yet weighs more. */
const MAX_MEMORY = isLongRun ? 4 : 4.5;
/** Processor time depends little on how busy a machine is, but somewhat. */
const ATTEMPTS = 5;

/** Texts that look as if they held secrets, again and again. */
const HOSTILE = [
  '&token=a',
  'Bearer abc123 ',
  'key=',
  'password:',
  'password: hunter2x\n',
  '"',
  '\\',
  '{"a":"{\\"password\\":\\"x\\"}"}',
  '-----BEGIN PRIVATE KEY-----',
  'QWxhZGRpbjpvcGVuIHNlc2FtZQ',
  'https://u:p@',
  'API_KEY=abc\n',
  'AKIA',
  'eyJ',
  'ghp_',
  'Authorization: ',
  'Cookie: a=b; ',
  '<password>',
  'token = getToken(a, b); if (password === x) {}\n',
];
const PLAIN = 'the quick brown fox reads files from folders of projects while it waits for answers ';

/** A message of this size, in which a text repeats a piece. */
function messageOf(piece: string, size: number): Uint8Array {
  const escaped = JSON.stringify(piece).slice(1, -1);
  const text = escaped.repeat(Math.floor(size / escaped.length));
  return Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${text}"}]}}\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'mcpreel-cost-'));

interface ProgramCost {
  readonly cpuMs: number;
  readonly peakBytes: number;
}

/** The processor time and the peak memory of the program while it redacts a message. */
function costOf(message: Uint8Array): ProgramCost {
  const [path, report, hook] = ['message', 'report', 'hook.cjs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(path, message);
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify(process.resourceUsage())));`,
  );
  const { status } = spawnSync(
    process.execPath,
    ['--require', hook, MCPREEL, 'redact', path, '-o', join(folder, 'out')],
    { env: { ...process.env, XDG_STATE_HOME: folder } },
  );
  expect(status).toBe(0);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(report, 'utf8')) as NodeJS.ResourceUsage;
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: maxRSS * 1024 };
}

describe('the cost of redacting a message', () => {
  let idle: ProgramCost;
  let plain: ProgramCost;
  let quarter: ProgramCost;

  beforeAll(() => {
    idle = costOf(messageOf(PLAIN, 100));
    plain = costOf(messageOf(PLAIN, SIZE));
    quarter = costOf(messageOf(PLAIN, SIZE / 4));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([PLAIN, ...inLongRuns(HOSTILE, ['key=', '"', 'Bearer abc123 ', 'API_KEY=abc\n', 'Cookie: a=b; '])])(
    'takes at most 3 times as long for repeated %j as for plain text, and a few times its size in memory',
    (piece) => {
      let cpuMs = Number.POSITIVE_INFINITY;
      let peakBytes = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const cost = costOf(messageOf(piece, SIZE));
        cpuMs = Math.min(cpuMs, cost.cpuMs);
        peakBytes = Math.min(peakBytes, cost.peakBytes);
        if (cpuMs <= 3 * plain.cpuMs && peakBytes - idle.peakBytes <= MAX_MEMORY * SIZE) break;
      }
      expect(cpuMs / plain.cpuMs).toBeLessThanOrEqual(3);
      expect((peakBytes - idle.peakBytes) / SIZE).toBeLessThanOrEqual(MAX_MEMORY);
    },
  );

  it('takes time in proportion to the size of plain text', () => {
    expect((plain.cpuMs - idle.cpuMs) / Math.max(1, quarter.cpuMs - idle.cpuMs)).toBeLessThanOrEqual(8);
  });
});
