// Checks the traces of killed multi-lane sessions.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareAsSets, readRecorded, textsOf } from './recorded.mjs';
import { recoverIn } from './recovered.mjs';
import { SLOW_WRITE_MS } from './strain.mjs';

/** Over HTTP, mcpreel parses forwarded data after 3 ms without traffic, and after 15 ms in any case. */
const LOOKS = 6;
/** Slightly more than 3 ms, to allow for timer inaccuracy. */
const LOOK_MS = 5;

/** Compares the trace with the messages of the client and the server. */
export async function judgeLanes({ folder, way }, { lanes, server, stderr }) {
  const path = join(folder, 'trace.jsonl');
  const { messages: recovered, faults: leftovers } = await recoverIn(folder);
  // mcpreel was killed before it created the trace.
  const trace = existsSync(path) ? await readRecorded(path) : { messages: [], events: [], problems: [] };
  const judged = judgeTexts(trace, lanes, server);
  // Over stdio, what the client has received is never lost.
  const lost = way === 'stdio' ? judged.missing : judged.lost;
  const faults = [...judged.faults, ...leftovers];
  return { ...judged, lost, faults, recovered, ...others(folder, trace, stderr) };
}

/** The faults in a trace's messages, and the number of lost ones. */
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
 * The calls that must be recorded. If a call is sent 5 ms after a response arrived, and is answered itself, then
 * mcpreel has run its timers in between, however busy the machine is. After `LOOKS` such calls in a row, mcpreel has
 * parsed and written everything before them. (This is not required if the machine was busy for as long as a slow write
 * takes.)
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

/** Only the end of a lane may be missing: nothing after the first missing message was recorded. */
function holesIn(calls, kept) {
  const first = calls.findIndex(({ text }) => !kept.has(text));
  if (first < 0) return [];
  const later = calls.slice(first).filter(({ text, answer }) => kept.has(text) || kept.has(answer));
  return later.length === 0
    ? []
    : [`a hole: ${calls[first].text.slice(0, 60)} is missing, and ${later.length} after it are not`];
}

function others(folder, { messages, events, problems }, stderr) {
  // After a slow write, the next part may have been started while the last lines of the previous one were in flight.
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
