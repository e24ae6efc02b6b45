import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { notLinux, unless } from '../../test/support/unless.ts';
import { journalPlace } from '../state/journal-place.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';
import { LiveSession } from './live-session.ts';
import { openTrafficLog } from './open-traffic-log.ts';
import { headerFor } from './session-header.ts';

vi.mock('../state/journal-place.ts');

const root = mkdtempSync(join(tmpdir(), 'mcpreel-log-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PING = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');

/** A session over stdio whose journals are in this folder, or nowhere. */
function open(folder: string | undefined, options: Partial<KeepingOptions> = {}, more: Partial<SessionDeps> = {}) {
  const home = mkdtempSync(join(root, 'home-'));
  vi.mocked(journalPlace).mockReturnValue(
    folder === undefined ? { reasons: ['/run/x is not in memory (tmpfs)'] } : { folder, maxBytes: 1 << 20 },
  );
  const notes: string[] = [];
  let ids = 0;
  const deps: SessionDeps = {
    env: {},
    platform: 'linux',
    pid: process.pid,
    stateFolder: home,
    version: '1',
    nowMs: Date.now,
    newId: () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`,
    onSignal: () => () => undefined,
    note: (line) => notes.push(line),
    mayJournal: true,
    ...more,
  };
  const keeping: KeepingOptions = { metadata: {}, ...options };
  const header = headerFor({ transport: 'stdio', command: ['x'] }, keeping, deps);
  const session = new LiveSession(header, keeping, deps, undefined);
  const redaction = { redactor: undefined, salt: 'salt', exactValues: [] };
  const log = openTrafficLog({ session, options: keeping, deps, redaction });
  session.log = log;
  const pointersIn = (): string[] => (existsSync(join(home, 'journals')) ? readdirSync(join(home, 'journals')) : []);
  return { session, log, notes, trace: () => readFileSync(session.tracePath, 'utf8'), pointersIn };
}

describe('openTrafficLog', unless(notLinux), () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'memory-'));
  });

  it('has a message in the journal first, and in the trace when it is asked for', async () => {
    const { session, log, notes, trace, pointersIn } = open(folder);
    expect(log.goesFirst).toBe(true);
    log.bytes('in', PING, 1);
    expect(trace()).not.toContain('ping');
    expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')).toContain('ping');
    expect(pointersIn()).toHaveLength(1);
    log.settle();
    expect(trace()).toContain('"upto":["in",41]');
    await session.close({ code: 0 });
    expect({ notes, journals: readdirSync(folder), pointers: pointersIn() }).toEqual({
      notes: [],
      journals: [],
      pointers: [],
    });
  });

  it.each<[string, Partial<KeepingOptions>, Partial<SessionDeps>, boolean]>([
    ['--durable', { safety: 'durable' }, {}, true],
    ['--no-journal', { safety: 'none' }, {}, false],
    ['--must-record', { mustRecord: true }, {}, true],
    ['an embedding program', {}, { mayJournal: false }, false],
    ['a system without a file system in memory', {}, { platform: 'darwin' }, false],
  ])('records at once with %s', async (_, options, more, goesFirst) => {
    const { session, log, notes, trace, pointersIn } = open(folder, options, more);
    log.bytes('in', PING, 1);
    expect(trace()).toContain('ping');
    expect(trace()).not.toContain('upto');
    expect({ goesFirst: log.goesFirst, notes, pointers: pointersIn() }).toEqual({ goesFirst, notes: [], pointers: [] });
    await session.close({ code: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('records before it forwards if there is no memory for a journal, and reports that once', async () => {
    const { session, log, notes, trace } = open(undefined);
    log.bytes('in', PING, 1);
    log.bytes('in', PING, 2);
    expect(log.goesFirst).toBe(true);
    expect(trace().match(/ping/g)).toHaveLength(2);
    expect(notes).toEqual(['mcpreel: Recording before forwarding, without a journal: /run/x is not in memory (tmpfs)']);
    await session.close({ code: 0 });
  });

  it('does the same if the journal cannot be created, and leaves no pointer', async () => {
    const { session, log, notes, pointersIn } = open(join(folder, 'missing'));
    expect(log.goesFirst).toBe(true);
    expect(notes).toHaveLength(1);
    expect(pointersIn()).toEqual([]);
    await session.close({ code: 0 });
  });

  it('does not follow a link that has the name of the journal', async () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(join(folder, 'j'));
    const { symlinkSync } = await import('node:fs');
    symlinkSync(victim, join(folder, 'j', '00000000-0000-4000-8000-000000000000.journal'));
    const { session, notes } = open(join(folder, 'j'));
    expect(notes).toHaveLength(1);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    await session.close({ code: 0 });
  });
});
