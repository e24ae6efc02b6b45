import { describe, expect, it } from 'vitest';
import type { LaneFacts } from '../engine/film-facts.ts';
import type { LaneLosses } from '../engine/lane-losses.ts';
import { remarksOn } from './remarks.ts';

const WHOLE = {
  index: 0,
  label: 'files',
  name: 'files.jsonl',
  transport: 'stdio',
  format: 'trace',
  state: 'read',
  fault: undefined,
  hasTimes: true,
  infersDirections: false,
  hasFooter: true,
  messages: 2,
  entries: 2,
  errors: 0,
  problems: 0,
  bytesRead: 1,
  size: 1,
} as const;

function badges(lane: object, losses: Partial<LaneLosses> = {}): string[] {
  const lanes = [{ ...WHOLE, ...lane } as LaneFacts];
  const known = { redacted: { values: 0, places: 0 }, missed: 0, ...losses };
  return remarksOn({ lanes, span: undefined, gaps: [], version: 1 }, [known]).map(({ badge }) => badge);
}

describe('what has to be known of a recording', () => {
  it.each([
    ['nothing, if it is whole', {}, {}, []],
    ['that it has no ending', { hasFooter: false }, {}, ['cut short']],
    ['not that, while it is live', { hasFooter: false, state: 'live' }, {}, []],
    ['not that, of formats that never have one', { hasFooter: false, format: 'har' }, {}, []],
    ['that lines were not read', { problems: 1 }, {}, ['1 line not read']],
    ['how many values were redacted', {}, { redacted: { values: 2, places: 9 } }, ['2 values redacted']],
    ['how many messages are missing', {}, { missed: 1200 }, ['1,200 messages missing']],
    [
      'what was made up on import',
      { infersDirections: true, hasTimes: false },
      {},
      ['directions inferred', 'no times'],
    ],
    ['that reading ended before the file did', { state: 'lost', fault: 'Oh.' }, {}, ['broke off']],
  ])('%s', (_, lane, losses, told) => {
    expect(badges(lane, losses)).toEqual(told);
  });
});
