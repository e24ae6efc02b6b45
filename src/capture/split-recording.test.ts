import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { event, footer, header, message, NOON_MS, response } from '../../test/contract/factories.ts';
import { outline, type Reading, readAll } from '../../test/contract/files.ts';
import { storedSessions } from '../catalog/stored-sessions.ts';
import { findTrace } from '../catalog/trace-names.ts';
import { trace } from '../formats/trace/trace.ts';
import { ObjectView } from '../json/object-view.ts';
import { messageIdsOf } from '../model/derived-id.ts';
import type { MessageEntry } from '../model/entry.ts';
import { liveSessions } from '../state/live-sessions.ts';
import { SplitRecording, type SplitRecordingOptions } from './split-recording.ts';

const RUN_ID = '550e8400-e29b-41d4-a716-446655440000';
const idOf = messageIdsOf(RUN_ID);

/** Three clients with the same ids; the third has no conversation of its own. */
const TALK = [
  event({ event: 'mcpreel.action', raw: '{"action":"listening"}' }),
  message({ proxyId: idOf(0), conversation: 1, atMs: NOON_MS + 1000 }),
  message({ proxyId: idOf(1), conversation: 2, atMs: NOON_MS + 2000 }),
  message({ proxyId: idOf(2), http: '{"exchange":2}' }),
  response({ proxyId: idOf(3), conversation: 2, correlatedId: idOf(1), atMs: NOON_MS + 3000 }),
  event({ event: 'http.exchange', raw: '{"exchange":1}', conversation: 2, atMs: NOON_MS + 3000 }),
  response({ proxyId: idOf(4), correlatedId: idOf(2), atMs: NOON_MS + 4000 }),
  response({ proxyId: idOf(5), conversation: 1, correlatedId: idOf(0), atMs: NOON_MS + 5000 }),
];

/** A folder for traces, and a recording that splits them. */
class SplitPlace {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  readonly notes: string[] = [];
  readonly failures: string[] = [];
  readonly recording: SplitRecording;
  #ids = 0;

  constructor(parts: (folder: string) => Partial<SplitRecordingOptions> = () => ({})) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    this.recording = new SplitRecording({
      header: header({ id: RUN_ID, label: 'remote', keepsakes: { trace: '{"kind":"mcp"}' } }),
      traceFile: undefined,
      rotation: undefined,
      mustRecord: false,
      stateFolder: this.folder,
      pid: process.pid,
      machine: { platform: process.platform, env: {} },
      note: (line) => this.notes.push(line),
      onFailure: (reason) => this.failures.push(reason),
      newId: () => `0000000${++this.#ids}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`,
      ...parts(this.folder),
    });
  }

  get traces(): string[] {
    const folder = join(this.folder, 'sessions');
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  read(name: string): Promise<Reading> {
    return readAll(trace, readFileSync(join(this.folder, name), 'utf8'));
  }

  live(): Promise<string[]> {
    return liveSessions(this.folder, process.kill, async () => true).then((sessions) =>
      sessions.map(({ id }) => id).sort(),
    );
  }
}

describe('SplitRecording', () => {
  it('writes a trace for the run, and one for each conversation when its first entry arrives', async () => {
    const place = new SplitPlace();
    expect(place.traces).toEqual(['2026-03-04T12-00-00-000Z-remote-550e8400.jsonl']);
    place.recording.append(TALK);
    await place.recording.close(footer());
    expect(place.traces).toEqual([
      '2026-03-04T12-00-00-000Z-remote-550e8400.jsonl',
      '2026-03-04T12-00-01-000Z-remote-conv-1-00000001.jsonl',
      '2026-03-04T12-00-02-000Z-remote-conv-2-00000002.jsonl',
    ]);
    const readings = await Promise.all(place.traces.map((name) => place.read(`sessions/${name}`)));
    expect(readings.map(({ entries }) => outline(entries))).toEqual([
      ['mcpreel.action', '> tools/list', '< answers 0'],
      ['> tools/list', '< answers 0'],
      ['> tools/list', '< answers 0', 'http.exchange'],
    ]);
    expect(readings.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('makes each trace a separate session that names the run', async () => {
    const place = new SplitPlace();
    place.recording.append(TALK);
    await place.recording.close(footer({ endedAtMs: NOON_MS + 10_000, durationMs: 10_000 }));
    const { session, messages } = await place.read(`sessions/${place.traces[2]}`);
    expect(session.header).toMatchObject({
      id: '00000002-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
      startedAtMs: NOON_MS + 2000,
      label: 'remote-conv-2',
    });
    expect(ObjectView.of(session.header.keepsakes?.trace ?? '')?.value('run')).toBe(RUN_ID);
    expect(ObjectView.of(session.header.keepsakes?.trace ?? '')?.value('conversation')).toBe(2);
    expect(session.footer).toMatchObject({ endedAtMs: NOON_MS + 10_000, durationMs: 8000, exitCode: 0 });
    expect(messages).toMatchObject([
      { sequence: 0, proxyId: idOf(1) },
      { sequence: 1, proxyId: idOf(3), correlatedId: idOf(1) },
    ]);
    expect(messages.map(({ conversation }) => conversation)).toEqual([undefined, undefined]);
    const lines = readFileSync(join(place.folder, 'sessions', place.traces[2] ?? ''), 'utf8')
      .split('\n')
      .slice(1, -2);
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([0, 1, 2]);
  });

  it('lists each trace, finds it by its id and reports it as live', async () => {
    const place = new SplitPlace();
    place.recording.append(TALK);
    const stored = await storedSessions(place.folder);
    expect(stored.map(({ header: { label }, entries }) => [label, entries])).toEqual([
      ['remote-conv-2', 3],
      ['remote-conv-1', 2],
      ['remote', 3],
    ]);
    const found = await findTrace(place.folder, '00000001');
    expect(basename(found ?? '')).toBe(place.traces[1]);
    const ids = stored.map(({ header: { id } }) => id).sort();
    expect(await place.live()).toEqual(ids);
    await place.recording.close(footer());
    place.recording.withdraw();
    expect(await place.live()).toEqual([]);
  });

  it('has a control socket only for the whole run', async () => {
    const place = new SplitPlace();
    place.recording.append(TALK);
    const live = await liveSessions(place.folder, process.kill, async () => true);
    expect(live.map(({ socket, label }) => [label, socket !== undefined]).sort()).toEqual([
      ['remote', true],
      ['remote-conv-1', false],
      ['remote-conv-2', false],
    ]);
  });

  it('appends to the existing trace of a conversation, and adds nothing after the end', async () => {
    const place = new SplitPlace();
    for (const entry of TALK) place.recording.append([entry]);
    await place.recording.close(footer());
    place.recording.append([message({ conversation: 1 }), message({ conversation: 3 })]);
    expect(place.traces).toHaveLength(3);
    expect((await place.read(`sessions/${place.traces[1]}`)).messages).toHaveLength(2);
  });

  it('writes next to the requested trace, or next to its new name if the file exists', async () => {
    const place = new SplitPlace((folder) => {
      writeFileSync(join(folder, 'run.jsonl'), 'mine');
      return { traceFile: join(folder, 'run.jsonl') };
    });
    place.recording.append(TALK);
    await place.recording.close(footer());
    const names = readdirSync(place.folder).filter((name) => name.startsWith('run'));
    expect(names.sort()).toEqual(['run-2.conv-1.jsonl', 'run-2.conv-2.jsonl', 'run-2.jsonl', 'run.jsonl']);
    expect(readFileSync(join(place.folder, 'run.jsonl'), 'utf8')).toBe('mine');
  });

  it('rotates each trace independently', async () => {
    const place = new SplitPlace((folder) => ({
      traceFile: join(folder, 'run.jsonl'),
      rotation: { maxBytes: 1000, maxFiles: 10 },
    }));
    for (let n = 0; n < 12; n++) {
      place.recording.append([message({ proxyId: idOf(n), conversation: n % 2 })]);
    }
    await place.recording.close(footer());
    const names = readdirSync(place.folder).filter((name) => name.startsWith('run'));
    expect(names).toContain('run.part-2.jsonl');
    expect(names).toContain('run.conv-1.part-2.jsonl');
  });

  it('ends the least recently active trace above the limit, and starts a new one if it resumes', async () => {
    const place = new SplitPlace(() => ({ maxOpen: 2 }));
    const sent = (conversation: number, second: number): MessageEntry =>
      message({ proxyId: idOf(second), conversation, atMs: NOON_MS + second * 1000 });
    place.recording.append([sent(1, 1), sent(2, 2)]);
    place.recording.append([sent(1, 3)]);
    place.recording.append([sent(3, 4)]);
    expect(await place.live()).toHaveLength(3);
    place.recording.append([sent(2, 5)]);
    await place.recording.close(footer());
    const readings = await Promise.all(place.traces.map((name) => place.read(`sessions/${name}`)));
    expect(
      readings.map(({ session, messages }) => [session.header.label, messages.length, session.footer?.reason]),
    ).toEqual([
      ['remote', 0, undefined],
      ['remote-conv-1', 2, 'silent'],
      ['remote-conv-2', 1, 'silent'],
      ['remote-conv-3', 1, undefined],
      ['remote-conv-2', 1, undefined],
    ]);
    expect(readings[2]?.session.footer).toMatchObject({ endedAtMs: NOON_MS + 2000, durationMs: 0 });
  });

  it.each([true, false])('never throws during a session, and warns at most once: mustRecord %s', (mustRecord) => {
    const place = new SplitPlace((folder) => ({ mustRecord, traceFile: join(folder, 'traces', 'run.jsonl') }));
    rmSync(join(place.folder, 'traces'), { recursive: true });
    writeFileSync(join(place.folder, 'traces'), 'no folder any more');
    for (const conversation of [1, 2, 3]) place.recording.append([message({ conversation })]);
    expect(place.failures).toHaveLength(3);
    expect(place.notes).toHaveLength(mustRecord ? 0 : 1);
  });

  it('refuses to start if the session must be recorded and cannot be', () => {
    expect(
      () =>
        new SplitPlace((folder) => {
          mkdirSync(join(folder, 'x'));
          writeFileSync(join(folder, 'x', 'y'), '');
          return { mustRecord: true, traceFile: join(folder, 'x', 'y', 'run.jsonl') };
        }),
    ).toThrow('Not started');
  });
});
