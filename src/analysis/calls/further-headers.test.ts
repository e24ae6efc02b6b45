import { describe, expect, it } from 'vitest';
import { readAll } from '../../../test/contract/files.ts';
import { trace } from '../../formats/trace/trace.ts';
import { findingsIn } from '../findings/session-findings.ts';
import { CallTracker } from './call-tracker.ts';

const meta = (id: string): string =>
  `{"v":1,"type":"meta","startedAt":"2026-05-12T23:00:00.000Z","label":"${id}","command":["x"],"id":"${id}"}`;
const line = (second: number, dir: string, rest: string): string =>
  `{"t":"2026-05-12T23:00:0${second}.000Z","dir":"${dir}","raw":{"jsonrpc":"2.0","id":${rest}}}`;
const CALL = '"method":"tools/call","params":{"name":"x"}';
const RESULT = '"result":{"content":[]}';

/** The answer to the first call is missing, and the second session begins with one that has its id. */
const FILE = [
  meta('one'),
  line(1, 'in', `1,${CALL}`),
  line(2, 'in', `2,${CALL}`),
  line(3, 'out', `2,${RESULT}`),
  meta('two'),
  line(4, 'out', `1,${RESULT}`),
  line(5, 'in', `1,${CALL}`),
  line(6, 'out', `1,${RESULT}`),
  line(7, 'in', `2,${CALL}`),
  '',
].join('\n');

describe('a file with several headers', () => {
  it('pairs no response with a request before its header', async () => {
    const { entries, messages } = await readAll(trace, FILE);
    expect(messages.map(({ correlatedId }) => messages.findIndex(({ proxyId }) => proxyId === correlatedId))).toEqual([
      -1, -1, 1, -1, -1, 4, -1,
    ]);
    const tracker = new CallTracker();
    const tracked = entries.map((entry) => tracker.take(entry));
    const calls = [...tracked.flatMap((taken) => taken.calls), ...tracker.end()];
    expect(calls.map(({ request, answer }) => [request.sequence, answer?.sequence])).toEqual([
      [1, 2],
      [0, undefined],
      [4, 5],
      [6, undefined],
    ]);
    expect(tracked.flatMap(({ orphans }) => orphans.map(({ message }) => message.sequence))).toEqual([3]);
  });

  it('judges the ids of each session by themselves', async () => {
    const { session } = await readAll(trace, FILE);
    const codes: string[] = [];
    for await (const { code, sequences } of findingsIn(session)) codes.push(`${code} ${sequences.join()}`);
    expect(codes).not.toContainEqual(expect.stringMatching(/duplicate-id|empty-session/));
    expect(codes).toContain('unknown-id 3');
    expect(codes).toEqual(expect.arrayContaining(['open-call 0', 'open-call 6']));
  });
});
