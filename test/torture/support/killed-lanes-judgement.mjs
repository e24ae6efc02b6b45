// Whether what is left of killed lanes is what it must be.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareAsSets, readRecorded, textsOf } from './recorded.mjs';
import { SLOW_WRITE_MS } from './strain.mjs';

/** Over HTTP what was passed on is looked at once nothing came for 3 ms, and after five times that in any case. */
const LOOKS = 6;
/** With a little more, as timers have it. */
const LOOK_MS = 5;

/** Compares the trace with what client and server know. */
export async function judgeLanes({ folder }, { lanes, server, stderr }) {
  const path = join(folder, 'trace.jsonl');
  // Killed before it had done anything.
  const trace = existsSync(path) ? await readRecorded(path) : { messages: [], events: [], problems: [] };
  return { ...judgeTexts(trace, lanes, server), ...others(folder, trace, stderr) };
}

/** What is wrong with the messages of a trace, and how many of them are lost. */
export function judgeTexts(trace, lanes, server) {
  const [heard, said] = [textsOf(trace, 'in'), textsOf(trace, 'out')];
  const faults = [...compareAsSets(heard, lanes.sent).faults, ...compareAsSets(said, server.said).faults];
  faults.push(...compareAsSets(server.heard, lanes.sent).faults.map((fault) => `the server heard: ${fault}`));
  faults.push(...compareAsSets(lanes.received, server.said).faults.map((fault) => `the client was told: ${fault}`));
  const kept = new Set([...heard, ...said]);
  for (const own of lanesOf(lanes.calls)) faults.push(...holesIn(own, kept));
  const settled = settledOf(lanes);
  const lost = settled.filter(({ text, answer }) => !(kept.has(text) && kept.has(answer))).length;
  const missing = lanes.received.filter((text) => !kept.has(text)).length;
  return { faults, lost, messages: kept.size, missing, settled: settled.length };
}

/**
 * The calls that must be recorded. A call that was sent 5 ms after an answer came, and is answered itself, has made mcpreel go
 * through its timers in between, however busy the machine is: so often in a row, and what came before them was looked at and
 * written. (It is not asked for where the machine was busy with other things for as long as a slow write takes.)
 */
function settledOf({ calls, strainMs }) {
  if (strainMs >= SLOW_WRITE_MS) return [];
  const answered = calls.filter(({ answer }) => answer !== undefined);
  let until = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS; look++) {
    const before = answered.filter(({ answeredAtMs }) => answeredAtMs <= until);
    until = Math.max(...before.map(({ sentAtMs }) => sentAtMs)) - LOOK_MS;
  }
  return answered.filter(({ answeredAtMs }) => answeredAtMs <= until);
}

function lanesOf(calls) {
  const lanes = [];
  for (const call of calls) {
    lanes[call.lane] ??= [];
    lanes[call.lane].push(call);
  }
  return lanes;
}

/** What is missing of a lane is its end: nothing that came later was kept. */
function holesIn(calls, kept) {
  const first = calls.findIndex(({ text }) => !kept.has(text));
  if (first < 0) return [];
  const later = calls.slice(first).filter(({ text, answer }) => kept.has(text) || kept.has(answer));
  return later.length === 0
    ? []
    : [`a hole: ${calls[first].text.slice(0, 60)} is missing, and ${later.length} after it are not`];
}

function others(folder, { messages, events, problems }, stderr) {
  // Where a write took long, the next part may have been begun when the last lines of the one before it were in the air.
  const gaps = events.filter(({ kind, after }) => kind === 'mcpreel.gap' && after < messages.length).length;
  const said = stderr.replace(/^mcpreel: (Listening on|Recording to) .*\n/gm, '');
  const more = [];
  if (gaps > 0) more.push(`it has ${gaps} gaps`);
  if (problems.length > 1) more.push(`it has problems: ${problems.join('; ')}`);
  if (said !== '') more.push(`it said ${said}`);
  return {
    others: more,
    tornLines: problems.length,
    parts: readdirSync(folder).filter((name) => name.startsWith('trace')).length,
  };
}
