import { describe, expect, it } from 'vitest';
import type { LaneLosses } from '../model/timeline/lane-losses.ts';
import type { LaneFacts } from '../model/timeline/timeline-facts.ts';
import { type PageNotice, remarksOn } from './remarks.ts';

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

const NO_LOSSES: LaneLosses = {
  redacted: { values: 0, places: 0 },
  missed: 0,
  tooLong: 0,
  inOtherParts: 0,
  isCutOff: false,
  lacks: [],
};

function badges(lane: object, losses: Partial<LaneLosses> = {}): string[] {
  return remarksAbout([{ ...WHOLE, ...lane } as LaneFacts], losses).map(({ badge }) => badge);
}

function sentences(lane: object, losses: Partial<LaneLosses> = {}): string[] {
  return remarksAbout([{ ...WHOLE, ...lane } as LaneFacts], losses).flatMap((remark) => remark.sentences);
}

function remarksAbout(lanes: readonly LaneFacts[], losses: Partial<LaneLosses>): PageNotice[] {
  return remarksOn({ lanes, span: undefined, gaps: [], version: 1 }, [{ ...NO_LOSSES, ...losses }]);
}

describe('the remarks about a recording', () => {
  it.each([
    ['nothing, if it is whole', {}, {}, []],
    ['that it has no ending', { hasFooter: false }, {}, ['cut short']],
    ['not that, while it is live', { hasFooter: false, state: 'live' }, {}, []],
    ['not that, of formats that never have one', { hasFooter: false, format: 'har' }, {}, ['imported']],
    [
      'that its file ends in the middle, whatever its format',
      { format: 'har' },
      { isCutOff: true },
      ['cut short', 'imported'],
    ],
    ['that parts of it are not here', {}, { inOtherParts: 7 }, ['parts missing']],
    ['how many messages were too long to be kept', {}, { tooLong: 2 }, ['2 messages too long']],
    ['that lines were not read', { problems: 1 }, {}, ['1 part repaired or not read']],
    ['how many values were redacted', {}, { redacted: { values: 2, places: 9 } }, ['2 values redacted']],
    ['how many messages are missing', {}, { missed: 1200 }, ['1,200 messages missing']],
    [
      'what was made up on import',
      { format: 'jsonrpc', infersDirections: true, hasTimes: false },
      {},
      ['directions inferred', 'no times', 'imported'],
    ],
    ['that reading ended before the file did', { state: 'lost', fault: 'Oh.' }, {}, ['not fully read']],
  ])('shows as badges: %s', (_, lane, losses, reported) => {
    expect(badges(lane, losses)).toEqual(reported);
  });

  it.each([
    [
      'that calls may have been answered',
      { hasFooter: false },
      {},
      /^The recording has no end: .* may have had a response\.$/,
    ],
    ['both, if a line is cut off as well', { hasFooter: false }, { isCutOff: true }, /^The file is truncated.* no end/],
    [
      'only that it ends in the middle, if it has an ending',
      {},
      { isCutOff: true },
      /^The file is truncated: [^.]*\.$/,
    ],
    ['how many entries other parts have', {}, { inOtherParts: 1 }, /^1 entry is in other parts of the trace/],
    ['what is known of long messages', {}, { tooLong: 2 }, /^2 messages longer than --max-message.* size .* hash/],
    [
      'what a format cannot hold',
      { format: 'har' },
      { lacks: ['marks', 'times'] },
      /har, which does not include: marks, times\.$/,
    ],
    ['that another tool wrote it', { format: 'mcpsnoop' }, {}, /mcpsnoop of another tool/],
  ])('explains in a sentence: %s', (_, lane, losses, reported) => {
    expect(sentences(lane, losses)).toEqual([expect.stringMatching(reported)]);
  });
});
