import { clients } from '../../../src/install/clients.ts';
import { readConfig } from '../../../src/install/config-syntax.ts';
import { joinCommandLine, splitCommandLine } from '../../../src/model/command-line.ts';
import { defaultLabel } from '../../../src/model/label.ts';
import { formatSessionTime, formatTraceTime, parseTime, parseTraceTime } from '../../../src/model/times.ts';
import { corpusSeeds, textSeeds } from '../seeds.ts';
import { Broken, hold, outcomeOf, same, type Target } from '../target.ts';

const seeds = (): Uint8Array[] =>
  textSeeds(
    `npx -y "@scope/server files" --root '/my files' it\\'s "a\\"b" \\`,
    ...[
      '2026-03-04T10:00:01.123Z',
      '2026-03-04t10:00:01,5+0530',
      '+010000-01-01 00:00:00 -05',
      '2026-02-30T24:00:00.000Z',
    ],
  );

/** Fuzzes small languages in strings, and edits of other programs' files. */
export const wordTargets: readonly Target[] = [
  { name: 'words', perSecond: 9000, seeds, check: checkWords },
  { name: 'client-files', perSecond: 1000, seeds: () => corpusSeeds('install'), check: checkConfig },
];

async function checkWords(input: Uint8Array): Promise<void> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
  const split = await outcomeOf(() => splitCommandLine(text));
  if ('value' in split)
    same(splitCommandLine(joinCommandLine(split.value)), split.value, 'a command line is its words');
  hold(defaultLabel('value' in split ? split.value : [text], text) !== '', 'everything has a label');
  const ms = parseTime(text);
  const isOfTrace = ms !== undefined && formatTraceTime(ms) === text;
  same(parseTraceTime(text), isOfTrace ? ms : undefined, 'a time of a trace is read as any other');
  if (ms === undefined) return;
  same(parseTraceTime(formatTraceTime(ms)), ms, 'a time that is written is read as it was');
  same(parseTime(formatSessionTime(ms)), ms, 'so it is in a session file');
}

function checkConfig(input: Uint8Array): void {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
  for (const client of clients) {
    try {
      hold(
        readConfig(client, text).entries.every(({ path }) => path.length > 0),
        'an entry has a place',
      );
    } catch (error) {
      // The parsers of these files throw their own error types; errors of the JavaScript language are faults.
      if (error instanceof Broken || error instanceof TypeError || error instanceof RangeError) throw error;
    }
  }
}
