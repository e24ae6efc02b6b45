// Torture scenario: the state folder has tens of thousands of recordings.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Judgement } from './support/judgement.mjs';
import { Reel, server } from './support/reel.mjs';

/** Shell completion may take as long as this many starts of Node. */
const MAX_STARTS = 2.5;
const OFFERED = 50;
const ROUNDS = 5;

export const manySessions = {
  name: 'many-sessions',
  injects: 'tens of thousands of recordings',
  sizes: { full: { sessions: 50_000 }, quick: { sessions: 10_000 }, least: { sessions: 500 } },

  async run({ sizes: { sessions }, folder, note }) {
    const judgement = new Judgement();
    const home = join(folder, 'home');
    mkdirSync(join(home, 'sessions'), { recursive: true });
    for (let n = 0; n < sessions; n++) writeRecording(home, n);
    note(`${sessions} recordings are written`);
    await record(folder);
    const listed = await outputOf(folder, ['sessions', '--json']);
    const { summary } = JSON.parse(listed.trim().split('\n').at(-1));
    judgement.claim(
      'all of them and a new one are listed',
      summary?.sessions === sessions + 1,
      JSON.stringify(summary),
    );
    const newest = idOf(sessions - 1);
    const shown = JSON.parse(await outputOf(folder, ['sessions', 'show', newest.slice(0, 8), '--json']));
    judgement.claim('each is found by its id', shown.session === newest, shown.session);
    await completion(folder, judgement);
    return judgement.outcome(`${sessions} recordings in the state folder`);
  },
};

async function record(folder) {
  const reel = new Reel(folder, ['--', process.execPath, server('mirror.mjs'), '1']);
  reel.child.stdout.resume();
  reel.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}\n');
  await reel.ended;
}

async function outputOf(folder, args) {
  const reel = new Reel(folder, args);
  reel.child.stdin.end();
  let text = '';
  for await (const chunk of reel.child.stdout) text += chunk;
  await reel.ended;
  return text;
}

/** Compares Tab in bash with the start of Node. The shortest time of each counts. */
async function completion(folder, judgement) {
  writeFileSync(join(folder, 'script'), await outputOf(folder, ['completion', 'bash']));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell expands it
  const words = 'COMP_WORDS=(mcpreel sessions show ""); COMP_CWORD=3; _mcpreel; echo ${#COMPREPLY[@]}';
  const env = { ...process.env, MCPREEL_HOME: join(folder, 'home') };
  let starts = Number.POSITIVE_INFINITY;
  let offered = '';
  for (let round = 0; round < ROUNDS; round++) {
    const node = timeOf(process.execPath, ['-e', '0'], { env });
    const tab = timeOf('bash', ['--norc', '-c', `source ./script; ${words}`], { cwd: folder, env, encoding: 'utf8' });
    if (tab.error !== undefined) return;
    offered = tab.stdout.trim();
    starts = Math.min(starts, tab.ms / node.ms);
  }
  judgement.claim(`shell completion offers the newest ${OFFERED}`, offered === String(OFFERED), offered);
  judgement.claim(
    `shell completion takes ${MAX_STARTS} starts of Node at most`,
    starts <= MAX_STARTS,
    `${starts.toFixed(1)} starts`,
  );
}

function timeOf(program, args, options) {
  const startMs = performance.now();
  const { stdout, error } = spawnSync(program, args, options);
  return { ms: performance.now() - startMs, stdout, error };
}

function idOf(n) {
  return `${n.toString(16).padStart(8, '0')}-6f0e-4c58-9a1e-000000000000`;
}

function writeRecording(home, n) {
  const t = new Date(Date.UTC(2026, 0) + n * 60_000).toISOString();
  const meta = { v: 1, type: 'meta', id: idOf(n), startedAt: t, label: 'fs', transport: 'stdio', command: ['fs'] };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', arguments: {} } };
  const lines = [meta, { t, dir: 'in', seq: 0, raw: call }, { t, type: 'end', exitCode: 0, durationMs: 1 }];
  const name = `${t.replaceAll(/[:.]/g, '-')}-fs-${idOf(n).slice(0, 8)}.jsonl`;
  writeFileSync(join(home, 'sessions', name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
