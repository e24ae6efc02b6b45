import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { MCPREEL } from './contestant-names.mjs';
import { watchPeak } from './peak-memory.mjs';
import { mcpreel, SERVERS } from './stdio-contestants.mjs';
import { converse } from './stdio-conversation.mjs';

const SAMPLES = 20;

/** Compares the peak memory of mcpreel for many calls with that for few. */
export async function comparePeakMemory({ few, many, folder }) {
  const [small, large] = [await peakOf(few, folder), await peakOf(many, folder)];
  console.log(`Peak memory of mcpreel: ${small.toFixed(0)} MB with ${few} calls, ${large.toFixed(0)} MB with ${many}`);
  return { title: `peak memory: ${many} calls, relative to ${few}`, figures: { [MCPREEL]: large / small }, less: true };
}

async function peakOf(calls, folder) {
  const peak = watchPeak(join(folder, 'memory'));
  await converse(mcpreel, SERVERS.bare, folder, (client) => client.callPipelined(calls), peak);
  return peak.megabytes();
}

/** Prints mcpreel's memory while this many messages pass, and returns rows that show whether it grows. */
export async function watchMemory(messages, folder) {
  const samples = [];
  const { missing } = await converse(mcpreel, SERVERS.bare, folder, async (client) => {
    for (let n = 1; n <= SAMPLES; n++) {
      await client.callPipelined(Math.ceil(messages / 2 / SAMPLES));
      samples.push(megabytesOf(client.pid));
      console.log(`${String(client.sent + client.received).padStart(9)} messages: ${samples.at(-1).toFixed(0)} MB`);
    }
  });
  const half = SAMPLES / 2;
  const growth = Math.max(...samples.slice(half)) / Math.max(...samples.slice(0, half));
  return {
    names: [MCPREEL],
    limited: MCPREEL,
    rows: [
      { title: 'peak memory of the second half, relative to the first', figures: { [MCPREEL]: growth }, atMost: 1.1 },
      { title: 'peak memory, MB', figures: { [MCPREEL]: Math.max(...samples) }, digits: 0, less: true },
      { title: 'messages missing from the recording', figures: { [MCPREEL]: missing }, atMost: 0, digits: 0 },
    ],
  };
}

function megabytesOf(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1000;
}
