import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MCPREEL, mcpreel, SERVERS } from './stdio-contestants.mjs';
import { converse } from './stdio-conversation.mjs';

const SAMPLES = 20;

/** Compares the most memory that mcpreel takes for many calls with the most it takes for few. */
export async function comparePeakMemory({ few, many, folder }) {
  const [small, large] = [await peak(few, folder), await peak(many, folder)];
  console.log(`Peak memory of mcpreel: ${small.toFixed(0)} MB with ${few} calls, ${large.toFixed(0)} MB with ${many}`);
  return { title: `peak memory: ${many} calls by ${few}`, figures: { [MCPREEL]: large / small } };
}

async function peak(calls, folder) {
  const memoryFile = join(folder, 'memory');
  const nodeFlags = [`--import=${join(import.meta.dirname, 'report-memory.mjs')}`];
  const env = { BENCH_MEMORY_FILE: memoryFile };
  const talk = (client) => client.callPipelined(calls);
  await converse(mcpreel, SERVERS.bare, folder, talk, { nodeFlags, env });
  return Number(readFileSync(memoryFile, 'utf8')) / 1000;
}

/** Prints how much memory mcpreel holds while so many messages go through. Returns whether it stays the same. */
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
  const met = growth <= 1.1 && missing === 0;
  console.log(
    `second half by first half: ${growth.toFixed(2)} (at most 1.1), messages missing from the recording: ${missing}${met ? '' : '  MISSED'}`,
  );
  return met;
}

function megabytesOf(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1000;
}
