import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Figure, interleave } from './interleave.mjs';
import { measure } from './measure.mjs';
import { mcpreel, node } from './programs.mjs';
import { writeTrace } from './sample-files.mjs';

/** Growth that has a limit: of state folders with many recordings, and of every analysis with the number of calls. */

const FEW_SESSIONS = 10;
const MAX_KILOBYTES_EACH = 1;
const MAX_STARTS = 2.5;

const CALLS = 5000;
const TIMES = 4;
const MAX_GROWTH = 4.5;

/** The memory that `sessions` needs for each recording, and the time of shell completion in starts of Node. */
export async function growthOfSessions(sessions, { rounds, folder }) {
  const [few, many] = [FEW_SESSIONS, sessions].map((count) => stateFolder(join(folder, `home-${count}`), count));
  const [memory, starts] = [new Figure(), new Figure()];
  const script = spawnSync(node, [mcpreel, 'completion', 'bash'], { encoding: 'utf8' }).stdout;
  writeFileSync(join(folder, 'completion.sh'), script);
  const homes = { few, many };
  await interleave(homes, rounds, async (name, home) => {
    const { megabytes } = await measure([process.execPath, mcpreel, 'sessions'], { MCPREEL_HOME: home });
    memory.add(name, megabytes * 1000);
  });
  const words = 'COMP_WORDS=(mcpreel sessions show ""); COMP_CWORD=3; _mcpreel';
  const contestants = {
    start: [node, ['-e', '0']],
    completion: ['bash', ['--norc', '-c', `source ${join(folder, 'completion.sh')}; ${words}`]],
  };
  await interleave(contestants, rounds, (name, [program, args]) => {
    const startMs = performance.now();
    spawnSync(program, args, { env: { ...process.env, MCPREEL_HOME: many } });
    starts.add(name, performance.now() - startMs);
  });
  const each = (memory.median('many') - memory.median('few')) / (sessions - FEW_SESSIONS);
  const count = sessions.toLocaleString('en');
  return [
    limitRow(`sessions: kB for each of ${count} recordings`, each, MAX_KILOBYTES_EACH),
    limitRow(
      `shell completion: starts of Node with ${count} recordings`,
      starts.ratiosTo('start').completion,
      MAX_STARTS,
    ),
  ];
}

/** How much longer each command takes for four times the calls. */
export async function growthOfAnalyses({ rounds, folder }) {
  const [small, large] = [CALLS, TIMES * CALLS].map((calls) => {
    const path = join(folder, `calls-${calls}.jsonl`);
    writeTrace(path, 2 * calls);
    return path;
  });
  const commands = {
    check: (path) => ['check', path],
    diff: (path) => ['diff', path, path],
    'inspect --calls': (path) => ['inspect', '--calls', path],
    'inspect --stats': (path) => ['inspect', '--stats', path],
    'export -f har': (path) => ['export', path, '-f', 'har', '--no-redact'],
  };
  const rows = [];
  for (const [name, argsFor] of Object.entries(commands)) {
    const time = new Figure();
    await interleave({ small, large }, rounds, async (size, path) => {
      time.add(size, (await measure([node, mcpreel, ...argsFor(path)])).ms);
    });
    const growth = time.ratiosTo('small').large;
    rows.push(limitRow(`${name}: time of ${TIMES} times ${CALLS.toLocaleString('en')} calls`, growth, MAX_GROWTH));
  }
  return rows;
}

function limitRow(title, ratio, atMost) {
  return { title, ratio, atMost };
}

function stateFolder(home, sessions) {
  mkdirSync(join(home, 'sessions'), { recursive: true });
  for (let n = 0; n < sessions; n++) {
    const t = new Date(Date.UTC(2026, 0) + n * 60_000).toISOString();
    const id = `${n.toString(16).padStart(8, '0')}-6f0e-4c58-9a1e-000000000000`;
    const meta = { v: 1, type: 'meta', id, startedAt: t, label: 'fs', transport: 'stdio', command: ['fs'] };
    const lines = [meta, { t, dir: 'in', seq: 0, raw: {} }, { t, type: 'end', exitCode: 0, durationMs: 1 }];
    const name = `${t.replaceAll(/[:.]/g, '-')}-fs-${id.slice(0, 8)}.jsonl`;
    writeFileSync(join(home, 'sessions', name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  return home;
}
