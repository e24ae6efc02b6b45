import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionFileSaver } from './session-file-saver.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-saver-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('SessionFileSaver', () => {
  it('saves once more after a running save, however often that is requested', async () => {
    const trace = join(folder, 'trace.jsonl');
    writeFileSync(trace, '{"type":"meta","version":1,"command":["x"],"startedAt":1}\n');
    const tracePath = vi.fn(() => trace);
    const note = vi.fn();
    const saver = new SessionFileSaver({ tracePath, sessionFile: join(folder, 's.json'), remedy: 'x', note });

    const running = saver.save();
    await vi.waitFor(() => expect(tracePath).toHaveBeenCalledTimes(1), { interval: 1 });
    const requests = [saver.save(), saver.save(), saver.save()];
    expect(await Promise.all([running, ...requests])).toEqual([true, true, true, true]);
    expect(tracePath).toHaveBeenCalledTimes(2);
    expect(note).not.toHaveBeenCalled();
  });
});
