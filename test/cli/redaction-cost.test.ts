import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLongRuns } from '../support/long-run.ts';
import { MCPREEL } from '../support/mcpreel-process.ts';

/** The size of a message in bytes. In shorter ones, what the garbage collector has not freed yet weighs more. */
const SIZE = 64 << 20;
/** Times the size of the message. */
const MAX_MEMORY = 4;
/** Processor time depends little on how busy a machine is, but somewhat. */
const ATTEMPTS = 3;
/** Times the processor time of plain text. */
const MAX_TIME = 3;
/** The same for text that never repeats itself, in which each name and value has to be judged. */
const MAX_TIME_OF_NEW = 8;

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
/** Texts that look as if they held secrets everywhere, and never repeat themselves. */
const EVER_NEW: Readonly<Record<string, (n: number) => string>> = {
  assignments: (n) => `a${n}_password=${n}x${n}y${n}\n`,
  'quoted strings': (n) => `b${n}Token = "word${n} other words";\n`,
  'addresses with queries': (n) => `https://h${n}.example/?a=${n}&token=x${n}&b=1 `,
  'members in text': (n) => `{"c${n}Secret":"some words ${n}"}, `,
  calls: (n) => `const d${n}Token = getToken${n}(a, b); if (password === e${n}) {}\n`,
  headers: (n) => `X-F${n}-Token: g${n}\r\n`,
  options: (n) => `tool --h${n}-token i${n} -p j${n}\n`,
  statements: (n) => `INSERT INTO k${n} (id, password) VALUES (1, 'l${n}');\n`,
};
/** The same in the structure of a message. */
const EVER_NEW_MEMBERS: Readonly<Record<string, (n: number) => string>> = {
  members: (n) => `{"a${n}Secret":"some words ${n}"},`,
  passwords: (n) => `{"password":"x${n}y${n}z"},`,
  'lists of options': (n) => `["--b${n}-token","x${n}y${n}z"],`,
};
const PLAIN = 'the quick brown fox reads files from folders of projects while it waits for answers ';

/** A message of this size, in which a text repeats a piece. */
function messageOf(piece: string, size: number): Uint8Array {
  const escaped = JSON.stringify(piece).slice(1, -1);
  const text = escaped.repeat(Math.floor(size / escaped.length));
  return Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${text}"}]}}\n`);
}

function everNew(make: (n: number) => string, size: number): string {
  const parts: string[] = [];
  for (let length = 0, n = 1_000_000; length < size; n += 7) {
    const part = make(n);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}

function messageOfNew(make: (n: number) => string, size: number): Uint8Array {
  const escaped = (n: number): string => JSON.stringify(make(n)).slice(1, -1);
  return Buffer.from(
    `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${everNew(escaped, size)}"}]}}\n`,
  );
}

function messageOfMembers(make: (n: number) => string, size: number): Uint8Array {
  return Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"items":[${everNew(make, size)}0]}}}\n`);
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

  it.each([PLAIN, ...inLongRuns(HOSTILE, ['"', 'API_KEY=abc\n'])])(
    'takes at most 3 times as long for repeated %j as for plain text, and a few times its size in memory',
    (piece) => expectBounded(messageOf(piece, SIZE)),
  );

  it.each(inLongRuns(Object.keys(EVER_NEW), ['quoted strings']))(
    'takes at most 8 times as long for ever new %s as for plain text, and a few times its size in memory',
    (kind) => expectBounded(messageOfNew(EVER_NEW[kind] ?? String, SIZE), MAX_TIME_OF_NEW),
  );

  it.each(inLongRuns(Object.keys(EVER_NEW_MEMBERS), ['passwords']))(
    'takes at most 8 times as long for ever new %s of a message as for plain text, and a few times its size in memory',
    (kind) => expectBounded(messageOfMembers(EVER_NEW_MEMBERS[kind] ?? String, SIZE), MAX_TIME_OF_NEW),
  );

  /** Expects the cost of a message to stay within the limits, next to that of plain text. */
  function expectBounded(message: Uint8Array, maxTime: number = MAX_TIME): void {
    let cpuMs = Number.POSITIVE_INFINITY;
    let peakBytes = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const cost = costOf(message);
      cpuMs = Math.min(cpuMs, cost.cpuMs);
      peakBytes = Math.min(peakBytes, cost.peakBytes);
      if (cpuMs <= maxTime * plain.cpuMs && peakBytes - idle.peakBytes <= MAX_MEMORY * SIZE) break;
    }
    expect(cpuMs / plain.cpuMs).toBeLessThanOrEqual(maxTime);
    expect((peakBytes - idle.peakBytes) / SIZE).toBeLessThanOrEqual(MAX_MEMORY);
  }

  it('takes time in proportion to the size of plain text', () => {
    expect((plain.cpuMs - idle.cpuMs) / Math.max(1, quarter.cpuMs - idle.cpuMs)).toBeLessThanOrEqual(8);
  });
});
