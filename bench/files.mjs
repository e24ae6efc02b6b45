// Measures reading, converting and importing large files, as ratios to `jq -c .` on the same file in the same run.
//
//   npm run bench:files                                       a million messages, three interleaved rounds
//   npm run bench:files -- --messages 100000 --rounds 1       a quick look
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MCPREEL } from './contestant-names.mjs';
import { readFlags } from './flags.mjs';
import { Figure, interleave } from './interleave.mjs';
import { inTemporaryFolder, measure } from './measure.mjs';
import { here, mcpreel, node } from './programs.mjs';
import { report } from './report.mjs';
import { writeMessages, writeTrace } from './sample-files.mjs';

const given = readFlags({ rounds: 3, messages: 1_000_000, json: String });

const JQ = 'jq';
const PARSE = 'JSON.parse of each line';
const READ = 'reading';

/** The commands to run on a trace. The limits are for the speed relative to jq and for memory. */
const OF_TRACE = [
  { title: READ, command: (trace) => [node, here('count-messages.mjs'), trace], atLeast: 4, mostMegabytes: 200 },
  {
    title: 'converting (export -f json)',
    command: (trace) => [node, mcpreel, 'export', trace, '-f', 'json', '--no-redact'],
    atLeast: 3,
    mostMegabytes: 200,
  },
  { title: 'converting, secrets removed', command: (trace) => [node, mcpreel, 'export', trace, '-f', 'json'] },
  {
    title: 'inspect --json',
    command: (trace) => [node, mcpreel, 'inspect', '--json', trace],
    mostMegabytes: 200,
  },
  {
    title: 'inspect --stats',
    command: (trace) => [node, mcpreel, 'inspect', '--stats', trace],
    mostMegabytes: 300,
  },
];
const OF_MESSAGES = [
  {
    title: 'importing JSON-RPC lines',
    command: (file) => [node, mcpreel, 'import', file, '--format', 'jsonrpc', '--out-trace', '/dev/null'],
    atLeast: 2,
    mostMegabytes: 200,
  },
];
/** The maximum time of the statistics, as a multiple of the time to read the whole file. */
const MAX_FOR_STATISTICS = 2;

const met = await inTemporaryFolder(compare);
process.exitCode = met ? 0 : 1;

async function compare(folder) {
  const { messages, rounds } = given;
  const trace = join(folder, 'trace.jsonl');
  writeTrace(trace, messages);
  const bare = join(folder, 'messages.jsonl');
  writeMessages(bare, messages);
  const about = `${messages} messages (${megabytesOf(trace)} MB), medians of ${rounds} interleaved rounds`;
  console.log(about);
  const ofTrace = await compareOn(trace, OF_TRACE, rounds);
  const ofMessages = await compareOn(bare, OF_MESSAGES, rounds);
  const longer = 1 / ofTrace.speed.ratiosTo(READ)['inspect --stats'];
  const statistics = { title: 'inspect --stats: time relative to reading', atMost: MAX_FOR_STATISTICS };
  const rows = [...ofTrace.rows, { ...statistics, figures: { [MCPREEL]: longer } }, ...ofMessages.rows];
  const names = [JQ, PARSE, MCPREEL];
  return report({ benchmark: 'files', about, names, limited: MCPREEL, peers: [JQ], rows }, given.json);
}

async function compareOn(file, works, rounds) {
  const hasJq = spawnSync('jq', ['--version']).status === 0;
  const contestants = {
    ...(hasJq && { [JQ]: ['jq', '-c', '.', file] }),
    [PARSE]: [node, here('parse-lines.mjs'), file],
    ...Object.fromEntries(works.map(({ title, command }) => [title, command(file)])),
  };
  const [speed, memory] = [new Figure(), new Figure()];
  await interleave(contestants, rounds, async (name, command) => {
    const { ms, megabytes } = await measure(command);
    speed.add(name, 1 / ms);
    if (megabytes !== undefined) memory.add(name, megabytes);
  });
  const beside = hasJq ? speed.ratiosTo(JQ) : {};
  const note = hasJq ? undefined : 'not measured: jq is not on PATH';
  const rows = works.flatMap(({ title, atLeast, mostMegabytes }) => [
    {
      title: `${title}: speed relative to jq`,
      figures: { [JQ]: beside[JQ], [PARSE]: beside[PARSE], [MCPREEL]: beside[title] },
      atLeast,
      note,
      digits: 1,
    },
    {
      title: `${title}: peak memory, MB`,
      figures: { [PARSE]: memory.most(PARSE), [MCPREEL]: memory.most(title) },
      atMost: mostMegabytes,
      less: true,
      digits: 0,
    },
  ]);
  return { rows, speed };
}

function megabytesOf(path) {
  return (statSync(path).size / 1e6).toFixed(0);
}
