import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import { TraceRecorder } from './trace-recorder.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const header: SessionHeader = {
  id: '550e8400-e29b-41d4-a716-446655440000',
  startedAtMs: 0,
  label: 'a',
  transport: 'stdio',
  command: ['a'],
  url: undefined,
  metadata: '{}',
};
const footer = { endedAtMs: 0, exitCode: 0, durationMs: 0 };
const entry: Entry = { kind: 'event', event: 'stdio.stderr', atMs: 0, raw: '{"text":"late"}' };

function newRecorder(): { recorder: TraceRecorder; failures: string[] } {
  const failures: string[] = [];
  const recorder = new TraceRecorder({ path: join(folder, 'a.jsonl'), header, onFailure: (why) => failures.push(why) });
  return { recorder, failures };
}

it('writes nothing after its end, not even to a file that got its descriptor since', () => {
  const { recorder, failures } = newRecorder();
  recorder.close(footer);
  const stranger = openSync(join(folder, 'stranger'), 'w');
  recorder.append([entry]);
  closeSync(stranger);
  expect(readFileSync(join(folder, 'stranger'), 'utf8')).toBe('');
  expect(readFileSync(recorder.path, 'utf8')).not.toContain('late');
  expect(failures).toEqual([]);
});

it('counts what cannot be written as a line, and tells of it with the next that can', () => {
  const { recorder, failures } = newRecorder();
  const unwritable = { ...entry, atMs: Number.NaN };
  recorder.append([entry, unwritable]);
  recorder.append([unwritable]);
  recorder.append([entry]);
  recorder.close(footer);
  const lines = readFileSync(recorder.path, 'utf8').trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringContaining('"type":"meta"'),
    expect.stringMatching(/"kind":"mcpreel\.gap".*"raw":\{"missed":3,"why":"Invalid time value"\}\}$/),
    expect.stringContaining('"text":"late"'),
    expect.stringContaining('"type":"end"'),
  ]);
  expect(failures).toHaveLength(1);
});
