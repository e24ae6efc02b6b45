import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { writers } from '../../src/formats/registry.ts';
import type { Outcome } from '../support/mcpreel-process.ts';
import type { Place } from '../support/place.ts';

const LEAKING = [process.execPath, fileURLToPath(new URL('leaking-server.mjs', import.meta.url))];

const message = (members: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...members })}\n`;

/** The lines of a client session that contains these texts. */
function conversation(texts: readonly string[]): readonly string[] {
  const clientInfo = { name: 'client', version: '1' };
  const call = (id: number, name: string): string =>
    message({ id, method: 'tools/call', params: { name, arguments: { all: texts } } });
  return [
    message({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } }),
    message({ method: 'notifications/initialized' }),
    message({ id: 2, method: 'tools/list' }),
    call(3, 'leak'),
    call(4, 'fail'),
  ];
}

/** Runs a stdio recorder or a mock, and sends it the session. */
async function talk(
  place: Place,
  args: readonly string[],
  lines: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const running = place.start(args, env);
  for (const line of lines) {
    running.write(line);
    const { id } = JSON.parse(line) as { id?: number };
    if (id !== undefined) await running.printed(new RegExp(`"id": ?${id}[,}]`));
  }
  running.end();
  return running.ended;
}

/**
 * Lets a server and a client send these texts in every possible field, and runs every mcpreel command that produces
 * output. Returns what each command printed, except the recorder and the mock, which forward the messages of others.
 */
export async function makeEverything(place: Place, texts: readonly string[]): Promise<readonly string[]> {
  mkdirSync(place.path('tmp'), { mode: 0o700 });
  const env = { MCPREEL_DEBUG: '1', TMPDIR: place.path('tmp'), SECRETS: JSON.stringify(texts) };
  const reported = texts.flatMap((text, index) => ['--meta', `note${index}=${text}`]);
  const given = ['--label', `shop ${texts[0]}`, '--session-file', 's.json', ...reported];
  const lines = conversation(texts);
  await talk(place, [...given, '--', ...LEAKING, '--token', texts[0] ?? ''], lines, env);
  const [trace = ''] = place.traces();

  const printed: string[] = [];
  const run = async (...args: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await place.run(args, { env: { ...env, RUN: 'another' } });
    if (code !== 0 && code !== 3) throw new Error(`${args.join(' ')}: ${code} ${stderr.slice(0, 500)}`);
    printed.push(`$ ${args[0]}\n${stdout}${stderr}`);
  };
  const reports = (name: string): string[] => ['junit', 'sarif', 'html'].flatMap((k) => [`--${k}`, `${name}.${k}`]);
  await inTurns([
    ...writers.map(
      ({ id }) =>
        () =>
          run('export', trace, '-f', id, '-o', `exported.${id}`),
    ),
    () => run('inspect', '-v', '--filter', 'tool:leak', trace),
    () => run('inspect', '--findings', trace),
    () => run('check', trace, '--junit', 'check.junit', '--sarif', 'check.sarif'),
    () => run('baseline', 'accept', trace),
    () => run('redact', 's.json', '-o', 'redacted.json'),
    () => run('diff', 's.json', trace, '--html', 'diff.html'),
    () => run('import', trace, '--to', 'session', '--out-dir', 'imported/here'),
    () =>
      run(
        'replay',
        trace,
        '--allow-redacted',
        '--output',
        'r.json',
        '--record',
        'r.session',
        ...reports('r'),
        '--',
        ...LEAKING,
      ),
    () => run('sessions', 'recover', /-([\da-f]{8})\.jsonl$/.exec(trace)?.[1] ?? '', '-o', 'recovered.json'),
    () => run('sessions', '--json'),
  ]);
  await run('export', 's.json', '-o', 'mocked.json');
  const forward = ['--on-miss', 'forward', '--record-mode', 'new', '--target-command', LEAKING.join(' ')];
  const more = lines.slice(0, 2).concat(message({ id: 9, method: 'tools/call', params: { name: 'later' } }));
  const { code } = await talk(place, ['mock', 'mocked.json', ...forward], more, env);
  if (code !== 0) throw new Error(`The mock ended with ${code}`);
  return printed;
}

/** Runs two jobs at a time; more would not be faster. */
async function inTurns(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await job();
  };
  await Promise.all([work(), work()]);
}

/** The searchable text of a file; the recordings packed in HTML pages are unpacked. */
export function everythingIn(place: Place, name: string): string {
  const text = place.read(name);
  const packed = [...text.matchAll(/<script type="text\/plain" id="recording-\d+">([\w+/=\n]*)<\/script>/g)];
  const unpacked = packed.map(([, lines = '']) =>
    gunzipSync(Buffer.concat(lines.split('\n').map((line) => Buffer.from(line, 'base64')))).toString(),
  );
  return [name, text, ...unpacked].join('\n');
}

/** Files and folders that other users can access, by their permission bits. */
export function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const mode = statSync(path).mode & 0o777;
    const requested = entry.isDirectory() ? 0o700 : 0o600;
    return mode === requested ? [] : [`${path.slice(folder.length + 1)} ${mode.toString(8)}`];
  });
}
