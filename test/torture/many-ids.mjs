// Torture scenario: calls in shapes that make work grow with the square of their number, for every command.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Judgement } from './support/judgement.mjs';
import { mcpreel } from './support/reel.mjs';

/** The large sessions are this many times as long as the small ones. Linear work takes as many times as long. */
const TIMES = 4;
/** Quadratic work takes 16 times as long. The margin is for a busy machine. */
const MAX_RATIO = 8;
/** Shorter runs are dominated by what does not depend on the session. */
const MIN_MS = 300;

const COMMANDS = [
  ['inspect'],
  ['inspect', '--calls'],
  ['inspect', '--stats'],
  ['inspect', '--findings'],
  ['check'],
  ['stats'],
  ...['har', 'otlp', 'markdown', 'csv', 'html', 'json', 'inspector', 'streamable-http'].map((format) => [
    'export',
    '-f',
    format,
  ]),
  ['import', '--to', 'session', '-o', '-'],
  ['redact', '-o', '-'],
];

export const manyIds = {
  name: 'many-ids',
  injects: 'ids, pages and cancellations by the thousands',
  sizes: { full: { calls: 5000 }, quick: { calls: 1000 }, least: { calls: 100 } },

  async run({ sizes: { calls }, folder, note }) {
    const judgement = new Judgement();
    for (const [shape, callsOf] of Object.entries(SHAPES)) {
      const [empty, small, large] = [1, calls, TIMES * calls].map((count) => write(folder, shape, count, callsOf));
      for (const command of [...COMMANDS, ['diff', small]]) {
        const against = command[0] === 'diff' ? (file) => ['diff', file] : () => command;
        const [none, one, many] = [empty, small, large].map((file) => cpuMs(folder, [...against(file), file]));
        const ratio = (many - none) / Math.max(one - none, MIN_MS);
        judgement.claim(
          'four times the calls take about four times as long',
          ratio <= MAX_RATIO,
          `${command.slice(0, 3).join(' ')} of ${shape}: ${ratio.toFixed(1)}`,
        );
      }
      note(`${shape}: done`);
    }
    return judgement.outcome(
      `${calls} and ${TIMES * calls} calls of ${Object.keys(SHAPES).length} shapes, in every command`,
    );
  },
};

const call = (id) => ({ id, method: 'tools/call', params: { name: 'echo', arguments: { text: `hello ${id}` } } });
const answer = (id) => ({ id, result: { content: [{ type: 'text', text: 'hello' }] } });
const each = (count, messagesOf) => Array.from({ length: count }, (_, n) => messagesOf(n)).flat();

const SHAPES = {
  'different ids': (count) =>
    each(count, (n) => [
      ['in', call(n)],
      ['out', answer(n)],
    ]),
  'one id': (count) => [...each(count, () => [['in', call(1)]]), ...each(count, () => [['out', answer(1)]])],
  cancelled: (count) => [
    ...each(count, (n) => [
      ['in', call(n)],
      ['in', { method: 'notifications/cancelled', params: { requestId: n } }],
    ]),
    ...each(count, (n) => [['out', answer(n)]]),
  ],
  pages: (count) =>
    each(count, (n) => [
      ['in', { id: n, method: 'tools/list', params: n === 0 ? {} : { cursor: `c${n}` } }],
      [
        'out',
        { id: n, result: { tools: [{ name: `t${n}`, inputSchema: { type: 'object' } }], nextCursor: `c${n + 1}` } },
      ],
    ]),
  conversations: (count) =>
    each(count, (n) => [
      ['in', call(1), n],
      ['out', answer(1), n],
    ]),
};

function write(folder, shape, count, callsOf) {
  const t = '2026-03-04T10:00:00.000Z';
  const lines = callsOf(count).map(([dir, message, conv], seq) =>
    JSON.stringify({
      t,
      dir,
      seq,
      id: `m${seq}`,
      ...(conv !== undefined && { conv }),
      raw: { jsonrpc: '2.0', ...message },
    }),
  );
  const meta = JSON.stringify({ v: 1, type: 'meta', startedAt: t, label: 'x', command: ['x'] });
  const path = join(folder, `${shape.replaceAll(' ', '-')}-${count}.jsonl`);
  writeFileSync(path, `${meta}\n${lines.join('\n')}\n`);
  return path;
}

/** The processor time of a command, which a busy machine affects less than the time that passes. */
function cpuMs(folder, args) {
  const env = { ...process.env, MCPREEL_HOME: join(folder, 'home') };
  const report = "process.on('exit',()=>process.stderr.write('@cpu '+process.cpuUsage().user/1000+'\\n'))";
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(report)}`];
  const { stderr, error } = spawnSync(process.execPath, [...flags, mcpreel(), ...args], {
    env,
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: 120_000,
  });
  const [, ms] = /@cpu ([\d.]+)/.exec(stderr ?? '') ?? [];
  return error !== undefined || ms === undefined ? Number.POSITIVE_INFINITY : Number(ms);
}
