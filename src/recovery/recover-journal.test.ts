import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { header as sampleHeader } from '../../test/contract/factories.ts';
import { GITHUB_TOKEN } from '../../test/support/sample-secrets.ts';
import { EntryMaker } from '../record/entry-maker.ts';
import { JournalFile } from '../record/journal/journal-file.ts';
import { journalHead } from '../record/journal/journal-head.ts';
import { JournalLog } from '../record/journal/journal-log.ts';
import { type StdioStream, StdioTraffic, type TrafficAct } from '../record/stdio-traffic.ts';
import { TraceRecorder } from '../record/trace-recorder.ts';
import { createRedactor } from '../redact/redactor.ts';
import { recoverJournal } from './recover-journal.ts';

const root = mkdtempSync(join(tmpdir(), 'mcpreel-recovery-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const header = sampleHeader({ startedAtMs: 0 });

type Step =
  | { readonly stream: StdioStream; readonly text: string }
  | { readonly act: TrafficAct }
  | { readonly end: StdioStream }
  | 'settle';

/** A session that writes a trace from a journal, as the recorder of a real one does. */
class Session {
  readonly folder: string = mkdtempSync(join(root, 's-'));
  readonly trace: string = join(this.folder, 'trace.jsonl');
  readonly journal: string = join(this.folder, 'a.journal');
  readonly log: JournalLog;
  readonly failures: string[] = [];
  #time = 1000;

  constructor({ maxBytes = 1 << 20, rotates = false } = {}) {
    const rotation = rotates ? { maxBytes: 600, maxFiles: Number.POSITIVE_INFINITY } : undefined;
    const recorder = new TraceRecorder({
      path: this.trace,
      header,
      rotation,
      onFailure: (why) => this.failures.push(why),
    });
    const redaction = { mode: 'secrets', keys: [], values: [], paths: [], salt: 'salt', exactValues: [] } as const;
    const redactor = createRedactor({ mode: 'secrets', salt: 'salt' });
    const head = {
      owner: { pid: 1 },
      version: '1',
      header,
      trace: this.trace,
      keepsTrace: true,
      maxMessageBytes: 400_000,
      redaction,
    };
    const traffic = new StdioTraffic({
      maker: new EntryMaker(header.id),
      maxMessageBytes: head.maxMessageBytes,
      marksPlaces: true,
      record: (entries) => recorder.append(entries.map((entry) => redactor.entry(entry))),
    });
    this.log = new JournalLog({
      file: new JournalFile(this.journal, journalHead(head)),
      traffic,
      maxBytes,
      pace: { idleMs: 1 << 30 },
      mayForget: () => !redactor.isInsideKey,
      isWatched: () => false,
      onFailure: (why) => this.failures.push(why),
    });
  }

  play(steps: readonly Step[]): void {
    for (const step of steps) {
      const atMs = this.#time++;
      if (step === 'settle') this.log.settle();
      else if ('act' in step) this.log.act(step.act, atMs);
      else if ('end' in step) this.log.end(step.end, atMs);
      else this.log.bytes(step.stream, Buffer.from(step.text), atMs);
    }
  }

  /** Each message or event of all parts of the trace, in order. */
  lines(): Record<string, unknown>[] {
    const names = [
      this.trace,
      ...Array.from({ length: 200 }, (_, n) => this.trace.replace('.jsonl', `.part-${n + 2}.jsonl`)),
    ];
    return names.flatMap((name) => linesIn(name)).filter(({ type }) => type !== 'meta');
  }

  /** What the lines say, without what depends on when they were written. */
  said(): unknown[] {
    const own = this.lines().filter(({ raw }) => (raw as { action?: string }).action !== 'recover');
    return own
      .filter(({ kind }) => kind !== 'mcpreel.gap')
      .map(({ dir, kind, raw, t, upto }) => ({ dir, kind, raw, t, upto }));
  }
}

function linesIn(path: string): Record<string, unknown>[] {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function request(id: number, more = ''): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"ping"${more}}\n`;
}

const texts = fc.oneof(
  fc.nat(9).map((id) => request(id)),
  fc.nat(9).map((id) => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`),
  fc.constant(`[${request(7).trim()},3,${request(8).trim()}]\n`),
  fc.constantFrom('\n', 'noise\n', '{"jsonrpc":"2.0",', '"id":1,"method":"x"}\n', 'é', '\n\n{}'),
  fc.constant(request(1, `,"params":{"token":"${GITHUB_TOKEN}"}`)),
  fc.constantFrom('-----BEGIN PRIVATE KEY-----\n', `${'QUJD'.repeat(16)}\n`, '-----END PRIVATE KEY-----\n'),
);
const streams = fc.constantFrom<StdioStream>('in', 'out', 'err');
const acts: fc.Arbitrary<TrafficAct> = fc.constantFrom(
  { kind: 'event', event: 'mcpreel.action', raw: '{"action":"signal","signal":"SIGINT"}' },
  { kind: 'injected', direction: 'client_to_server', text: request(99).trim() },
  {
    kind: 'settled',
    direction: 'client_to_server',
    settled: [
      { id: '550e8400-e29b-41d4-a716-000000000900', text: request(5).trim(), atMs: 5, decision: { action: 'drop' } },
      { id: '', text: request(6).trim(), atMs: 6, inBatch: true, decision: { action: 'forward' } },
    ],
  },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ stream: streams, text: texts }), weight: 8 },
    { arbitrary: fc.record({ act: acts }), weight: 2 },
    { arbitrary: fc.constant<Step>('settle'), weight: 2 },
  ),
  { maxLength: 25 },
);

/** What a session that is not killed records. */
function recordedWhole(played: readonly Step[], rotates: boolean): unknown[] {
  const whole = new Session({ rotates });
  whole.play(played);
  whole.log.settle();
  return whole.said();
}

describe('recoverJournal', () => {
  it('completes a trace that ends at any byte: nothing is missing, nothing is there twice', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), fc.boolean(), async (played, cut, rotates) => {
        const session = new Session({ rotates });
        session.play(played);
        const lastPart = await lastPartOf(session.trace);
        const text = readFileSync(lastPart);
        const head = text.indexOf('\n') + 1;
        truncateSync(lastPart, head + (cut % (text.length - head + 1)));

        expect(await recoverJournal(session.journal, 0)).toMatchObject({ kind: 'recovered' });
        expect(session.said()).toEqual(recordedWhole(played, false));
        const all = session.lines();
        expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index));
        const ids = all.flatMap(({ id }) => (id === undefined ? [] : [id]));
        const repeated = ids.filter((id, at) => ids.indexOf(id) !== at);
        // The held message has the same id each time it is played.
        expect(repeated.filter((id) => id !== '550e8400-e29b-41d4-a716-000000000900')).toEqual([]);
        expect(JSON.stringify(all)).not.toContain(GITHUB_TOKEN);

        const before = JSON.stringify(session.lines());
        expect(await recoverJournal(session.journal, 0)).toMatchObject({ kind: 'recovered', entries: 0 });
        expect(JSON.stringify(session.lines())).toBe(before);
      }),
    );
  });

  it('continues a recovery that was cut off', async () => {
    const played: Step[] = Array.from({ length: 5 }, (_, id) => ({ stream: 'in', text: request(id) }));
    const session = new Session();
    session.play(played);
    await recoverJournal(session.journal, 0);
    const whole = readFileSync(session.trace);
    for (let size = whole.indexOf('\n') + 1; size < whole.length; size += 7) {
      writeFileSync(session.trace, whole.subarray(0, size));
      await recoverJournal(session.journal, 0);
      expect(session.said()).toEqual(recordedWhole(played, false));
      expect(session.lines().filter(({ kind }) => kind === 'mcpreel.action').length).toBeLessThanOrEqual(1);
    }
  });

  it('pairs a response with a request that was recorded before', async () => {
    const session = new Session();
    session.play([
      { stream: 'in', text: request(1) },
      'settle',
      { stream: 'out', text: '{"jsonrpc":"2.0","id":1,"result":1}\n' },
    ]);
    await recoverJournal(session.journal, 0);
    const [first, second] = session.lines();
    expect(second?.corr).toBe(first?.id);
  });

  it('writes how the session ended, if that is known', async () => {
    const session = new Session();
    session.play([
      { stream: 'in', text: request(1) },
      { act: { kind: 'ended', footer: { endedAtMs: 5, exitCode: 3, durationMs: 5 } } },
    ]);
    await recoverJournal(session.journal, 0);
    expect(session.lines().at(-1)).toMatchObject({ type: 'end', exitCode: 3 });
  });

  it('records the size of a message that was not complete, once', async () => {
    const session = new Session();
    session.play([{ stream: 'out', text: `${request(1)}{"jsonrpc":"2.0","secret":"` }]);
    await recoverJournal(session.journal, 0);
    await recoverJournal(session.journal, 0);
    const gaps = session.lines().filter(({ kind }) => kind === 'mcpreel.gap');
    expect(gaps.map(({ raw }) => raw)).toEqual([
      { missed: 1, why: 'mcpreel was killed before the message was complete', dir: 'out', size: 27 },
    ]);
  });

  it('creates the trace again if it is gone', async () => {
    const session = new Session();
    session.play([{ stream: 'in', text: request(1) }]);
    rmSync(session.trace);
    await recoverJournal(session.journal, 0);
    expect(linesIn(session.trace)[0]).toMatchObject({ type: 'meta', id: header.id });
    expect(session.said()).toHaveLength(1);
  });

  it('redacts lines of a key that began before the cut', async () => {
    const key = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w';
    const session = new Session();
    session.play([
      { stream: 'err', text: '-----BEGIN PRIVATE KEY-----\n' },
      'settle',
      { stream: 'err', text: `${key}\n-----END PRIVATE KEY-----\n` },
    ]);
    await recoverJournal(session.journal, 0);
    expect(readFileSync(session.trace, 'utf8')).not.toContain(key);
    expect(session.lines()).toHaveLength(4);
  });

  it('leaves a journal of an unknown version, and one that it cannot write to a trace', async () => {
    const path = join(root, 'strange');
    writeFileSync(path, 'mcpreel-journal/9\nwhat is this');
    expect(await recoverJournal(path, 0)).toEqual({ kind: 'left', why: 'another version of mcpreel wrote it' });
    const session = new Session();
    session.play([{ stream: 'in', text: request(1) }]);
    rmSync(session.trace);
    mkdirSync(session.trace);
    expect(await recoverJournal(session.journal, 0)).toMatchObject({ kind: 'recovered' });
  });

  it('has nothing to do for a journal without a head', async () => {
    const path = join(root, 'empty');
    writeFileSync(path, '');
    expect(await recoverJournal(path, 0)).toEqual({ kind: 'empty' });
  });
});

describe('a journal that is emptied while a session runs', () => {
  const filler = `,"params":{"text":"${'x'.repeat(90_000)}"}`;

  it('keeps the beginnings of lines that are not finished', async () => {
    const played: Step[] = [
      ...Array.from({ length: 4 }, (_, id): Step => ({ stream: 'in', text: request(id, filler) })),
      { stream: 'in', text: request(4).slice(0, 9) },
      { stream: 'out', text: '{"jsonrpc":"2.0","id":1,' },
      'settle',
      { stream: 'in', text: request(4).slice(9) },
      { stream: 'out', text: '"result":{}}\n' },
    ];
    const session = new Session();
    session.play(played);
    expect(readFileSync(session.journal).length).toBeLessThan(2000);
    await recoverJournal(session.journal, 0);
    expect(session.said()).toEqual(recordedWhole(played, false));
  });

  it('is not emptied in the middle of a key', () => {
    const session = new Session();
    session.play([
      { stream: 'err', text: '-----BEGIN PRIVATE KEY-----\n' },
      ...Array.from({ length: 4 }, (_, id): Step => ({ stream: 'in', text: request(id, filler) })),
      'settle',
    ]);
    expect(readFileSync(session.journal).length).toBeGreaterThan(300_000);
  });

  it.each([[100_000], [300_000], [600_000]])(
    'records what does not fit into %i bytes, and what follows',
    async (maxBytes) => {
      const parts = ['{"jsonrpc":"2.0","id":77,"method":"x","params":"', 'y'.repeat(350_000), '"}\n'];
      const played: Step[] = [
        ...Array.from({ length: 9 }, (_, id): Step => ({ stream: 'in', text: request(id, filler) })),
        ...parts.map((text): Step => ({ stream: 'out', text })),
        ...Array.from({ length: 9 }, (_, id): Step => ({ stream: 'out', text: request(id, filler) })),
        { stream: 'in', text: request(1) },
      ];
      const session = new Session({ maxBytes });
      session.play(played);
      expect(readFileSync(session.journal).length).toBeLessThanOrEqual(maxBytes + 2000);
      await recoverJournal(session.journal, 0);
      expect(session.said()).toEqual(recordedWhole(played, false));
      expect(session.failures).toEqual([]);
    },
  );

  it('is created again if its name is gone, and without a folder everything is recorded at once', async () => {
    const session = new Session();
    session.play([{ stream: 'in', text: request(1) }]);
    rmSync(session.journal);
    session.play(['settle', { stream: 'in', text: request(2) }]);
    expect(readFileSync(session.journal, 'utf8')).toContain('"id":2');
    const moved = `${session.folder}-moved`;
    rmSync(session.journal);
    mkdirSync(moved);
    rmSync(session.folder, { recursive: true });
    session.play(['settle']);
    expect(session.failures.length).toBeGreaterThan(0);
  });
});

async function lastPartOf(trace: string): Promise<string> {
  const { partsOf } = await import('../record/trace-parts.ts');
  return (await partsOf(trace)).at(-1) ?? trace;
}
