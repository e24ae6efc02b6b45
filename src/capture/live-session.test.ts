import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { header, message, NOON_MS } from '../../test/contract/factories.ts';
import { type Reading, readAll } from '../../test/contract/files.ts';
import { storedSessions } from '../catalog/stored-sessions.ts';
import { trace } from '../formats/trace/trace.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';
import { LiveSession } from './live-session.ts';

const DISCOVER = '{"jsonrpc":"2.0","id":1,"method":"server/discover"}';

/** A folder for traces, and a session that is recorded there. */
class LivePlace {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  readonly notes: string[] = [];
  readonly session: LiveSession;
  send: (signal: NodeJS.Signals) => void = () => undefined;
  #ids = 0;

  constructor(options: (folder: string) => Partial<KeepingOptions> = () => ({}), redactor?: Redactor) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    const deps: SessionDeps = {
      env: {},
      platform: process.platform,
      pid: process.pid,
      stateFolder: this.folder,
      version: '0.0.0',
      nowMs: () => NOON_MS + 9000,
      newId: () => `0000000${++this.#ids}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`,
      onSignal: (received) => {
        this.send = received;
        return () => {
          this.send = () => undefined;
        };
      },
      note: (line) => this.notes.push(line),
    };
    this.session = new LiveSession(header(), { metadata: {}, ...options(this.folder) }, deps, redactor);
  }

  get readings(): Promise<Reading[]> {
    const folder = join(this.folder, 'sessions');
    const names = readdirSync(folder).sort();
    return Promise.all(names.map((name) => readAll(trace, readFileSync(join(folder, name), 'utf8'))));
  }
}

describe('LiveSession', () => {
  it('writes a trace for each conversation if requested', async () => {
    const { folder, session } = new LivePlace(() => ({ split: true }));
    session.record([message(), message({ conversation: 1, atMs: NOON_MS + 1000 })]);
    expect(await session.close()).toBe(0);
    const stored = await storedSessions(folder);
    expect(stored.map(({ footer, entries }) => [footer?.reason, footer?.durationMs, entries])).toEqual([
      ['producer_shutdown', 8000, 1],
      ['producer_shutdown', 9000, 1],
    ]);
  });

  it('redacts secrets in the trace of each conversation, with the same placeholder for the same secret', async () => {
    const place = new LivePlace(() => ({ split: true }), createRedactor({ mode: 'secrets', salt: 'salt' }));
    const text = '{"jsonrpc":"2.0","method":"x","params":{"a":"Bearer abc123def456ghi789"}}';
    place.session.record([message({ text }), message({ text, conversation: 1, atMs: NOON_MS + 1000 })]);
    await place.session.close();
    const [first = '', second = ''] = (await place.readings).map(({ messages }) => messages[0]?.text);
    expect(first).toContain('[REDACTED:');
    expect(second).toBe(first);
  });

  it.each([true, false])('distinguishes probes from other traffic in any conversation: split %s', async (split) => {
    const { session } = new LivePlace(() => ({ split }));
    session.record([message({ text: DISCOVER })]);
    expect(session.isProbeOnly).toBe(true);
    session.record([message({ conversation: 1 })]);
    expect(session.isProbeOnly).toBe(false);
    await session.close();
  });

  it('ends on a signal, but not on SIGUSR1 or SIGUSR2', async () => {
    const place = new LivePlace();
    let hasEnded = false;
    void place.session.ended.then(() => {
      hasEnded = true;
    });
    place.session.endOnSignals(false);
    place.send('SIGUSR1');
    place.send('SIGUSR2');
    await Promise.resolve();
    expect(hasEnded).toBe(false);
    place.send('SIGTERM');
    await place.session.ended;
    expect(await place.session.close()).toBe(0);
    const [reading] = await place.readings;
    expect(reading?.entries.map((entry) => entry.kind === 'event' && entry.raw)).toEqual(
      ['SIGUSR1', 'SIGUSR2', 'SIGTERM'].map((signal) => `{"action":"signal","signal":"${signal}"}`),
    );
  });

  it('ends with an error if it must be recorded and no longer can be', async () => {
    const place = new LivePlace((folder) => ({ mustRecord: true, traceFile: join(folder, 'traces', 'a.jsonl') }));
    place.session.record([message()]);
    rmSync(join(place.folder, 'traces'), { recursive: true });
    writeFileSync(join(place.folder, 'traces'), 'no folder any more');
    const closed = place.session.close({ code: 7 });
    await place.session.ended;
    expect(await closed).toBe(1);
    expect(place.notes).toEqual([expect.stringContaining('Error: The session was stopped because recording failed')]);
  });

  it('returns the status of its server, and leaves no announcement', async () => {
    const { folder, session } = new LivePlace();
    expect(readdirSync(join(folder, 'live')).filter((name) => name.endsWith('.json'))).toHaveLength(1);
    expect(await session.close({ code: 7 })).toBe(7);
    expect(readdirSync(join(folder, 'live')).filter((name) => name.endsWith('.json'))).toHaveLength(0);
    expect(existsSync(join(folder, 'sessions'))).toBe(true);
  });
});
