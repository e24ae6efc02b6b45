// Checks the files of a killed stdio session.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OLDER, SECRET } from './killed-stdio.mjs';
import { readRecorded, textsOf } from './recorded.mjs';
import { recoverIn } from './recovered.mjs';
import { mcpreel } from './reel.mjs';

const run = promisify(execFile);

/** Recovers the session, and compares its files with the messages of the client and the server. */
export async function judge(plan, { client, server, stderr }) {
  const { folder } = plan;
  const faults = [];
  const check = (isTrue, fault) => {
    if (!isTrue) faults.push(fault);
  };
  const { messages: recovered, faults: leftovers } = await recoverIn(folder);
  faults.push(...leftovers);
  const trace = await readTexts(join(folder, 'trace.jsonl'));

  check(stderr === '', `it said ${stderr}`);
  check(isStartOf(server.heard, client.sent), 'the server heard something else than the client sent');
  check(isStartOf(client.received, server.said), 'the client received something else than the server said');
  // What is logged before it is forwarded may not have been forwarded.
  check(isStartOf(trace.in, client.sent), 'the trace has requests that the client did not send, or not so');
  check(isStartOf(trace.out, server.said), 'the trace has answers that the server did not give, or not so');

  const missing = { in: server.heard.length - trace.in.length, out: client.received.length - trace.out.length };
  const lost = Math.max(0, missing.in) + Math.max(0, missing.out);

  check(trace.events === 0, `it has ${trace.events} events`);
  check(trace.problems.length === 0, `it has problems: ${trace.problems.join('; ')}`);
  const names = readdirSync(folder);
  return {
    faults,
    lost,
    settled: server.heard.length + client.received.length,
    messages: trace.in.length + trace.out.length,
    missing: 0,
    recovered,
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
  const own = events.filter(({ kind, raw }) => raw.action !== 'recover' && kind !== 'mcpreel.gap');
  return { id, in: withSecrets(recorded, 'in'), out: withSecrets(recorded, 'out'), events: own.length, problems };
}

/** The texts as they were before redaction. */
function withSecrets(recorded, dir) {
  return textsOf(recorded, dir).map((text) => text.replaceAll(/\[REDACTED:[^\]]*\]/g, SECRET));
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
