// Measures how cost grows with the number and size of messages, as ratios to a minimal program with the same load.
//
//   npm run bench:growth                                      a hundred to a million messages, 0.2 to 2000 kB each
//   npm run bench:growth -- --many 10000 --rounds 1           a quick look
//   npm run bench:growth -- --many 0                          only the growth that has limits
import { MCPREEL } from './contestant-names.mjs';
import { readFlags } from './flags.mjs';
import { growthOfAnalyses, growthOfSessions } from './growth-limits.mjs';
import { growthOfFiles, growthOfPayloads, growthOfRecording } from './growth-rounds.mjs';
import { inTemporaryFolder } from './measure.mjs';
import { report } from './report.mjs';

const given = readFlags({ rounds: 3, many: 1_000_000, sessions: 50_000, json: String });

const BASELINE = 'baseline';
const MESSAGES = [100, 10_000, 1_000_000];
const KILOBYTES = [0.2, 20, 2000];

const met = await inTemporaryFolder(measureGrowth);
process.exitCode = met ? 0 : 1;

async function measureGrowth(folder) {
  const asked = { rounds: given.rounds, folder };
  const messages = MESSAGES.filter((count) => count <= given.many);
  const about = `medians of ${asked.rounds} interleaved rounds`;
  console.log(about);
  const rows = [
    ...rowsOf(await growthOfRecording(messages, asked), messages, 'messages'),
    ...rowsOf(await growthOfFiles(messages, asked), messages, 'messages'),
    ...(given.many === 0 ? [] : rowsOf(await growthOfPayloads(KILOBYTES, asked), KILOBYTES, 'kB each way')),
    ...limitedRows(await growthOfSessions(given.sessions, asked)),
    ...limitedRows(await growthOfAnalyses(asked)),
  ];
  return report({ benchmark: 'growth', about, names: [BASELINE, MCPREEL], limited: MCPREEL, rows }, given.json);
}

function limitedRows(rows) {
  return rows.map(({ title, ratio, atMost }) => ({ title, atMost, figures: { [MCPREEL]: ratio }, less: true }));
}

function rowsOf(lines, sizes, unit) {
  return Object.entries(lines).flatMap(([line, ratios]) =>
    ratios.map((ratio, n) => {
      const size = sizes[n].toLocaleString('en');
      return {
        title: `${line}: ${size} ${unit}`,
        line,
        size,
        unit,
        figures: { [BASELINE]: 1, [MCPREEL]: ratio },
        less: true,
      };
    }),
  );
}
