// Reading, converting and importing large files, as ratios to `jq -c .` on the same file in the same run.
//
//   npm run bench:files                 a million messages, three interleaved rounds
//   node bench/files.mjs 100000 1       fewer messages, one round
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compareWithJq, inTemporaryFolder, JQ } from './measure.mjs';
import { writeMessages, writeTrace } from './sample-files.mjs';

const messages = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);
const bin = [process.execPath, join(import.meta.dirname, '..', 'dist', 'mcpreel.cjs')];

await inTemporaryFolder(async (folder) => {
  const trace = join(folder, 'trace.jsonl');
  writeTrace(trace, messages);
  announce('trace', trace);
  const filesMet = await compareWithJq(
    {
      [JQ]: ['jq', '-c', '.', trace],
      'read (readSession)': [process.execPath, join(import.meta.dirname, 'count-messages.mjs'), trace],
      'convert (export -f json)': [...bin, 'export', trace, '-f', 'json', '--no-redact'],
      'convert, secrets removed': [...bin, 'export', trace, '-f', 'json'],
      'inspect --json': [...bin, 'inspect', '--json', trace],
      'inspect --stats': [...bin, 'inspect', '--stats', trace],
    },
    {
      'read (readSession)': { atLeast: 4, mostMegabytes: 200 },
      'convert (export -f json)': { atLeast: 3, mostMegabytes: 200 },
      'inspect --json': { mostMegabytes: 200 },
      'inspect --stats': { within: { of: 'read (readSession)', times: 2 }, mostMegabytes: 300 },
    },
    rounds,
  );

  const jsonrpc = join(folder, 'messages.jsonl');
  writeMessages(jsonrpc, messages);
  announce('jsonrpc', jsonrpc);
  const importMet = await compareWithJq(
    {
      [JQ]: ['jq', '-c', '.', jsonrpc],
      import: [...bin, 'import', jsonrpc, '--format', 'jsonrpc', '--out-trace', '/dev/null'],
    },
    { import: { atLeast: 2, mostMegabytes: 200 } },
    rounds,
  );
  process.exitCode = filesMet && importMet ? 0 : 1;
});

function announce(kind, path) {
  const megabytes = (statSync(path).size / 1e6).toFixed(0);
  console.log(`${kind}: ${messages} messages, ${megabytes} MB, medians of ${rounds} rounds`);
}
