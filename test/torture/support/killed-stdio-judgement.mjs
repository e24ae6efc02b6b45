// Checks the files of a killed stdio session.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OLDER } from './killed-stdio.mjs';
import { readRecorded, textsOf } from './recorded.mjs';
import { mcpreel } from './reel.mjs';
import { SLOW_WRITE_MS } from './strain.mjs';

const run = promisify(execFile);

/** Compares the trace, and the session file if there is one, with the messages of the client and the server. */
export async function judge(plan, { client, server, stderr }) {
  const { folder, inFlight } = plan;
  const faults = [];
  const check = (isTrue, fault) => {
    if (!isTrue) faults.push(fault);
  };
  const trace = await readTexts(join(folder, 'trace.jsonl'));

  check(stderr === '', `it said ${stderr}`);
  check(isStartOf(server.heard, client.sent), 'the server heard something else than the client sent');
  check(isStartOf(client.received, server.said), 'the client received something else than the server said');
  check(isStartOf(trace.in, server.heard), 'the trace has requests that the server did not hear, or not so');
  check(isStartOf(trace.out, client.received), 'the trace has answers that the client did not receive, or not so');

  const { settled, strainMs } = client;
  const missing = { in: server.heard.length - trace.in.length, out: client.received.length - trace.out.length };
  let lost = 0;
  if (strainMs < SLOW_WRITE_MS) {
    lost = Math.max(0, settled.sent - trace.in.length) + Math.max(0, settled.received - trace.out.length);
    // Each request makes at most two messages in each direction. A request in flight may be answered in the missing
    // turn and be followed by another.
    check(missing.in <= 4 * inFlight, `${missing.in} messages to the server are missing, with ${inFlight} in flight`);
    check(missing.out <= 2 * inFlight, `${missing.out} messages to the client are missing, with ${inFlight} in flight`);
  }

  check(trace.events === 0, `it has ${trace.events} events`);
  check(trace.problems.length <= 1, `it has problems: ${trace.problems.join('; ')}`);
  const names = readdirSync(folder);
  return {
    faults,
    lost,
    settled: strainMs < SLOW_WRITE_MS ? settled.sent + settled.received : 0,
    messages: trace.in.length + trace.out.length,
    missing: missing.in + missing.out,
    tornLines: trace.problems.length,
    parts: names.filter((name) => name.startsWith('trace')).length,
    leftovers: names.filter((name) => name.endsWith('.tmp')).length,
    saved: plan.saves && (await checkSessionFile(join(folder, 'session.json'), trace, check)),
    exported: plan.exports && (await checkExport(folder, trace, check)),
  };
}

/** A trace is opened by the path of its first part. */
async function readTexts(path) {
  const recorded = await readRecorded(path);
  const { id, events, problems } = recorded;
  return { id, in: textsOf(recorded, 'in'), out: textsOf(recorded, 'out'), events: events.length, problems };
}

/** The file is the older one, or a complete one of this session whose messages are the first ones of the trace. */
async function checkSessionFile(path, trace, check) {
  const text = readFileSync(path, 'utf8');
  if (text === OLDER) return false;
  await checkWhole(path, trace, check);
  return true;
}

/** The exported file must contain the whole trace. */
async function checkExport(folder, trace, check) {
  const args = [mcpreel(), 'export', 'trace.jsonl', '-f', 'json', '-o', 'exported.json'];
  await run(process.execPath, args, { cwd: folder });
  const exported = await checkWhole(join(folder, 'exported.json'), trace, check);
  const isAll = exported.in.length === trace.in.length && exported.out.length === trace.out.length;
  check(isAll, 'the export has not all messages');
  return true;
}

async function checkWhole(path, trace, check) {
  const file = await readTexts(path);
  // The reader would also accept a truncated file.
  JSON.parse(readFileSync(path, 'utf8'));
  check(file.id === trace.id, `${path} is of session ${file.id}`);
  check(file.problems.length === 0, `${path} has problems: ${file.problems.join('; ')}`);
  check(isStartOf(file.in, trace.in) && isStartOf(file.out, trace.out), `${path} has other messages than the trace`);
  return file;
}

function isStartOf(lines, whole) {
  return lines.every((line, index) => line === whole[index]);
}
