import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SampleSession } from '../../../test/support/control/sample-session.ts';
import { socketPath } from '../../../test/support/socket-path.ts';
import { serveLive } from '../../control/control-server.ts';
import { openFileSource } from '../../files/file-source.ts';
import type { Entry } from '../../model/entry.ts';
import type { RunningSession } from '../../state/live-sessions.ts';
import type { HeldFacts } from '../session/held-messages.ts';
import { feedConversation } from './conversation-feed.ts';
import type { FeedEnding, FeedListener, SessionFeed } from './session-feed.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const line = (seq: number): string =>
  `{"t":"2026-03-04T10:00:00.000Z","dir":"in","seq":${seq},"id":"m${seq}","raw":${CALL}}\n`;
const META =
  '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"fs-conv-2","id":"c","run":"r","conversation":2}\n';
const END = '{"t":"2026-03-04T10:00:01.000Z","type":"end","exitCode":0,"durationMs":1000}\n';

/** Collects all events of a feed. */
class Reported implements FeedListener {
  readonly entries: Entry[] = [];
  readonly held: HeldFacts[] = [];
  readonly released: string[] = [];
  label: string | undefined;
  ending: FeedEnding | undefined;
  onHeader: FeedListener['onHeader'] = ({ label }) => {
    this.label = label;
  };
  onEntries: FeedListener['onEntries'] = (entries) => void this.entries.push(...entries);
  onHeld: FeedListener['onHeld'] = (held) => void this.held.push(held);
  onReleased: FeedListener['onReleased'] = ({ id }) => void this.released.push(id);
  onState: FeedListener['onState'] = () => undefined;
  onEnding: FeedListener['onEnding'] = (ending) => {
    this.ending = ending;
  };
}

interface Followed {
  readonly reported: Reported;
  readonly run: SampleSession;
  readonly feed: SessionFeed;
  /** Appends to the trace of the conversation. */
  readonly write: (text: string) => void;
}

async function follow(): Promise<Followed> {
  const folder = mkdtempSync(join(tmpdir(), 'conversation-'));
  const trace = join(folder, 'conv-2.jsonl');
  writeFileSync(trace, META + line(0));
  const [run, reported] = [new SampleSession(), new Reported()];
  const place = { socket: socketPath(folder, 's.sock'), token: '2f6c' };
  const server = await serveLive(run, place);
  const session: RunningSession = { ...run.facts, trace, socket: undefined, token: undefined };
  const feed = await feedConversation(
    session,
    { ...session, ...place },
    { openTrace: openFileSource, nowMs: Date.now },
    reported,
  );
  onTestFinished(async () => {
    feed.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { reported: reported, run, feed, write: (text) => appendFileSync(trace, text) };
}

describe('a conversation with its own trace', () => {
  it('follows the trace and ignores an incomplete line', async () => {
    const { reported, write } = await follow();
    await vi.waitFor(() => expect(reported.entries).toHaveLength(1));
    expect(reported.label).toBe('fs-conv-2');
    write(line(1) + line(2).slice(0, 30));
    await vi.waitFor(() => expect(reported.entries).toHaveLength(2));
    write(line(2).slice(30));
    await vi.waitFor(() => expect(reported.entries).toHaveLength(3));
    expect(reported.ending).toBeUndefined();
  });

  it('reports the held messages of its own conversation only', async () => {
    const { reported, run, feed } = await follow();
    run.hold(CALL, { conversation: 1 });
    const { id } = run.hold(CALL, { conversation: 2 });
    await vi.waitFor(() => expect(reported.held.map((held) => held.id)).toEqual([id]));
    await feed.steering?.decide(id, { action: 'forward' });
    await vi.waitFor(() => expect(reported.released).toEqual([id]));
  });

  it('reads the last entries of a conversation that ends before the run', async () => {
    const { reported, run, write } = await follow();
    write(line(1) + END);
    await vi.waitFor(() => expect(reported.ending).toEqual({ how: 'silent' }));
    expect(reported.entries).toHaveLength(2);
    run.end();
    await vi.waitFor(() => expect(reported.ending).toEqual({ how: 'ended' }));
  });

  it('reads the last entries of a conversation that ends with the run', async () => {
    const { reported, run, write } = await follow();
    write(line(1));
    run.end();
    await vi.waitFor(() => expect(reported.ending).toEqual({ how: 'ended' }));
    expect(reported.entries).toHaveLength(2);
  });
});
