import { describe, expect, it } from 'vitest';
import { Script } from '../../../../test/support/calls/call-script.ts';
import type { Call } from '../../../analysis/calls/call.ts';
import { CallTracker } from '../../../analysis/calls/call-tracker.ts';
import { type CallTextRow, CallTextTable } from './calls-text.ts';

/** Two calls: one fails, the other gets no response. */
function someCalls(): Call[] {
  const script = new Script();
  const params = { name: 'a-tool-with-a-rather-long-name' };
  const request = script.client({ id: 1, method: 'tools/call', params });
  const error = { code: -32603, message: 'It did not work this time\u001b[2J' };
  script.wait(1500).server({ id: 1, error }, { answers: request });
  script.client({ id: 2, method: 'tools/list' }, { conversation: 2 });
  const tracker = new CallTracker();
  return [...script.entries.flatMap((entry) => tracker.take(entry).calls), ...tracker.end()];
}

function listing(style: { width: number; hasColour: boolean }, hasTimes = true): string {
  const table = new CallTextTable(style, hasTimes);
  return table.text(someCalls().map((call) => table.row(call)));
}

describe('CallTable', () => {
  it('aligns the columns of the calls', () => {
    expect(listing({ width: 120, hasColour: false })).toBe(
      `  #000 > tools/call a-tool-with-a-rather-long-name  error         1.50 s  -32603 It did not work this time\\u001b[2J
  #002 > tools/list                                 pending            -  conv=2
`,
    );
  });

  it('aligns calls of tools with wide names, and calls that took long', () => {
    const table = new CallTextTable({ width: 120, hasColour: false }, true);
    const [failed] = someCalls().map((call) => table.row(call));
    const rows = [
      { ...failed, title: '検索', time: '12 min 34 s', notes: '' },
      { ...failed, title: 'abc', notes: '' },
    ];
    expect(table.text(rows as CallTextRow[])).toBe(`  検索  error      12 min 34 s
  abc   error           1.50 s
`);
  });

  it('truncates names and wraps the rest on a narrow terminal', () => {
    const narrow = listing({ width: 60, hasColour: false });
    expect(narrow).toBe(
      `  #000 > tools/call a-tool-with-a-rat…  error         1.50 s
        -32603 It did not work this time\\u001b[2J
  #002 > tools/list                     pending            -
        conv=2
`,
    );
    for (const line of narrow.split('\n')) expect([...line].length).toBeLessThanOrEqual(60);
  });

  it.each([20, 40, 50, 70, 80, 100])(
    'keeps every line within the terminal width, or 50 columns (%d columns)',
    (width) => {
      const longest = Math.max(
        ...listing({ width, hasColour: false })
          .split('\n')
          .map((line) => [...line].length),
      );
      expect(longest).toBeLessThanOrEqual(Math.max(width, 50));
    },
  );

  it('colors the call status if colors are enabled', () => {
    expect(listing({ width: 120, hasColour: true })).toContain('\u001b[31merror    \u001b[39m');
    expect(listing({ width: 120, hasColour: false })).not.toContain('\u001b');
  });

  it('prints no durations if the session has no timestamps', () => {
    expect(listing({ width: 120, hasColour: false }, false)).toContain('error              -');
  });
});
