import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadFilter } from '../src/analysis/filter/filter.ts';
import { loadInterception } from '../src/cli/flags/interception-options.ts';
import { wrappedOptions } from '../src/cli/flags/wrapped-options.ts';
import { readers } from '../src/formats/registry.ts';
import { splitCommandLine } from '../src/model/command-line.ts';
import { ClientHome } from './support/client-home.ts';
import { CommandPlace } from './support/command-place.ts';
import { Place } from './support/place.ts';
import { eventsOf, type Json, parseTrace, readSessionFile } from './support/recordings.ts';
import { GITHUB_TOKEN } from './support/sample-secrets.ts';
import { runInShell } from './support/shell.ts';
import { recordAsReported } from './support/told-recording.ts';

const root = new URL('../', import.meta.url);

function page(name: string): string {
  return readFileSync(new URL(name, root), 'utf8');
}

/** The code blocks of one language in a page. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```([\w-]*)\n(.*?)^```$/gms)]
    .filter(([, tag]) => tag === language)
    .map(([, , code = '']) => code);
}

/** The arguments after `mcpreel` on each command line, without comments. */
function mcpreelLines(text: string): string[][] {
  const lines = blocks(text, 'sh').flatMap((block) => block.split('\n'));
  return lines
    .filter((line) => line.startsWith('mcpreel '))
    .map((line) =>
      line
        .replace(/\s+#.*/, '')
        .split(/\s+/)
        .slice(1),
    );
}

/** The arguments after `mcpreel` on each command line, where words may be quoted. */
function quotedLines(text: string): string[][] {
  const lines = blocks(text, 'sh').flatMap((block) => block.split('\n'));
  return lines.filter((line) => line.startsWith('mcpreel ')).map((line) => splitCommandLine(line).slice(1));
}

const seedSession = blocks(page('docs/formats.md'), 'json')[0] ?? '';
const seedTrace = blocks(page('docs/formats.md'), '').find((block) => block.includes('"type":"meta"')) ?? '';
const httpTrace = blocks(page('docs/formats.md'), '').find((block) => block.includes('"http.exchange"')) ?? '';
/** Commands that end by themselves and need no server. */
const READING_COMMANDS = new Set(['inspect', 'sessions', 'diff', 'export', 'redact', 'stats', 'doctor']);
type Events = Parameters<typeof eventsOf>[0];

describe('the documentation', () => {
  it('shows both commands on the first screen of the README', () => {
    const firstScreen = page('README.md').split('\n').slice(0, 30).join('\n');
    expect(firstScreen).toContain('npm start');
    expect(firstScreen).toContain('npm test');
    expect(page('README.md').split('\n').length).toBeLessThanOrEqual(151);
  });

  it('contains only command lines in the README that work', async () => {
    const commands = mcpreelLines(page('README.md'));
    expect(commands.length).toBeGreaterThan(1);
    for (const args of commands) {
      const place = new Place();
      place.write('session.json', seedSession);
      expect(await place.run(args)).toMatchObject({ code: 0 });
    }
  });

  it('contains only command lines in docs/troubleshooting.md that work', async () => {
    const commands = quotedLines(page('docs/troubleshooting.md'));
    expect(commands.length).toBeGreaterThan(10);
    const place = new CommandPlace();
    place.write('session.json', seedSession);
    for (const args of commands) expect({ args, ...(await place.run(args)) }).toMatchObject({ args, code: 0 });
  });

  it('contains a command in docs/README.md for each question, with flags that exist', async () => {
    const rows = page('docs/README.md').match(/^\| .*\]\(.*\) \|$/gm) ?? [];
    const commands = rows.map((row) => splitCommandLine(/\| `(.*?)` \|/.exec(row)?.[1] ?? ''));
    expect(commands.length).toBeGreaterThan(25);
    const place = new CommandPlace();
    for (const name of ['session.json', 'a.json', 'b.json', 'capture.har']) place.write(name, seedSession);
    for (const [program, ...args] of commands.filter(([word]) => word !== 'npx')) {
      expect(program).toBe('mcpreel');
      const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
      const command = /^[a-z]/.test(args[0] ?? '') ? args[0] : 'record';
      const { stdout: help } = await place.run([command ?? '', '--help']);
      for (const flag of own.filter((word) => word.startsWith('-'))) expect(help).toContain(flag);
      if (READING_COMMANDS.has(command ?? '')) {
        expect({ args, ...(await place.run(args)) }).toMatchObject({ args, code: args[1] === 'recover' ? 1 : 0 });
      }
    }
  });

  it('contains only command lines in docs/record.md that work', async () => {
    const text = page('docs/record.md').replace('--cwd /srv', '--cwd .');
    const commands = blocks(text, 'sh').flatMap((block) => block.trimEnd().split('\n'));
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) {
      const place = new Place();
      for (const name of ['server.js', 'my server.js']) place.write(name, 'process.stdin.pipe(process.stdout)');
      const [, ...args] = splitCommandLine(command);
      expect(await place.run(args, { input: '{}\n' })).toMatchObject({ code: 0, stdout: '{}\n' });
    }
  });

  it('contains only command lines in docs/http.md that work, and shows their results', async () => {
    const place = new Place();
    const commands = quotedLines(page('docs/http.md'));
    const recording = commands.filter(([name]) => name === 'record');
    expect(recording.length).toBeGreaterThan(5);
    for (const args of recording) await recordAsReported(place, args);
    expect(commands.filter((args) => !recording.includes(args))).toEqual([['inspect', 'session.json']]);
    const { stdout } = await place.run(['inspect', 'session.json']);
    const anyServer = (shown: string): string =>
      shown.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID');
    expect(blocks(page('docs/http.md'), '').map(anyServer)).toContain(anyServer(stdout));
    const [exchange] = eventsOf(readSessionFile(place.path('session.json')).session as Events, 'http.exchange');
    const [shown] = eventsOf(parseTrace(httpTrace), 'http.exchange');
    expect(Object.keys(exchange as Json)).toEqual(Object.keys(shown as Json));
  });

  it('contains only command lines in docs/bridge.md that work', async () => {
    const commands = quotedLines(page('docs/bridge.md'));
    expect(commands.length).toBeGreaterThan(2);
    for (const args of commands) {
      await recordAsReported(new Place(), args);
    }
  });

  it('contains only command lines in docs/intercept.md that work', async () => {
    const commands = quotedLines(page('docs/intercept.md'));
    const recording = commands.filter(([name]) => name === 'record').map((args) => args.slice(1));
    expect(recording.length).toBeGreaterThan(2);
    for (const args of recording) {
      const { interception } = wrappedOptions(args);
      expect(await loadInterception(interception)).toMatchObject({ mode: 'intercept' });
    }
    const holding = commands.filter(([name]) => name === 'hold');
    expect(holding.length).toBeGreaterThan(0);
    for (const args of holding) expect((await new Place().run(args)).stderr).toMatch(/^Error: No session is running/);
  });

  it.each([
    ['streamable-http', 'http://127.0.0.1:3000/mcp?a=1'],
    ['sse', 'http://127.0.0.1:3000/sse'],
  ])('states correctly that install prints the command to record a server with a URL: %s', async (transport, url) => {
    const home = new ClientHome({ '.cursor/mcp.json': JSON.stringify({ mcpServers: { web: { url } } }) });
    const { stdout } = await home.run('install');
    const [, command = ''] = /web: not changed \(HTTP\)\. Record it with: mcpreel (.*)/.exec(stdout) ?? [];
    expect(splitCommandLine(command)).toEqual(['record', '--transport', transport, '--target-url', url]);
    await recordAsReported(home.place, splitCommandLine(command));
  });

  it('shows the actual output of the command lines in docs/filter.md, and only existing terms', async () => {
    const text = page('docs/filter.md');
    const place = new Place();
    place.write('session.jsonl', blocks(text, '').find((block) => block.includes('"type":"meta"')) ?? '');
    const examples = [...text.matchAll(/^```sh\nmcpreel ([^\n]*)\n```\n\n```\n(.*?)^```$/gms)];
    expect(examples.length).toBe(quotedLines(text).length);
    expect(examples.length).toBeGreaterThan(4);
    for (const [, command = '', printed] of examples) {
      expect(await place.run(splitCommandLine(command))).toMatchObject({ code: 0, stdout: printed });
    }
    const cells = [...text.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
    const terms = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, term = '']) => term));
    expect(terms.length).toBeGreaterThan(15);
    for (const term of terms) await expect(loadFilter(term)).resolves.toBeDefined();
  });

  it('contains only command lines in docs/import.md that work', async () => {
    const commands = mcpreelLines(page('docs/import.md'));
    expect(commands.length).toBeGreaterThan(2);
    for (const args of commands) {
      const place = new Place();
      const format = args[args.indexOf('--format') + 1] ?? '';
      const [sample = blocks(page('docs/import.md'), 'streamable-http')[0] ?? ''] = blocks(
        page('docs/import.md'),
        format,
      );
      place.write('session.json', sample);
      expect(await place.run(args)).toMatchObject({ code: 0, stdout: blocks(page('docs/import.md'), '')[0] });
    }
  });

  it('contains only command lines in docs/redact.md that work', async () => {
    const commands = mcpreelLines(page('docs/redact.md'));
    expect(commands.length).toBeGreaterThan(2);
    for (const args of commands) {
      const place = new Place();
      place.write('session.json', seedSession);
      expect(await place.run(args)).toMatchObject({ code: 0 });
    }
  });

  it.each(['calls', 'findings', 'sessions'])('contains only command lines in docs/%s.md that work', async (name) => {
    const commands = quotedLines(page(`docs/${name}.md`));
    expect(commands.length).toBeGreaterThan(1);
    const place = new Place();
    place.write('session.json', seedSession);
    for (const args of commands) expect(await place.run(args)).toMatchObject({ code: 0 });
  });

  it.each([
    ['passes recordings without secrets', 'nothing of note', 0],
    ['refuses one with a secret', GITHUB_TOKEN, 3],
  ])('contains a CI script in docs/redact.md that %s', (_, note, status) => {
    const place = new Place();
    place.write('recordings/clean.json', seedSession);
    place.write('recordings/other.json', seedSession.replace('my server', note));
    const { code, stdout } = runInShell(place, blocks(page('docs/redact.md'), 'bash')[0] ?? '');
    expect(code).toBe(status);
    expect(stdout).toBe(status === 0 ? '' : 'recordings/other.json: $.metadata.target: github-token\n');
  });

  it.each(readers.map(({ id }) => id).filter((id) => id !== 'trace' && id !== 'json'))(
    'shows a sample of %s in docs/import.md that is recognized and contains the documented call',
    async (format) => {
      const place = new Place();
      place.write('sample', blocks(page('docs/import.md'), format)[0] ?? '');
      const { code, stderr } = await place.run(['import', 'sample', '--out-trace', 'out.jsonl']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: `sample: detected format ${format}\n` });
      const calls = place
        .read('out.jsonl')
        .split('\n')
        .filter((line) => line.includes('"tool_call"'));
      expect(calls.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ tool_name: expect.stringMatching(/Calculator$/), args: { a: 1, b: 2 }, error: null }),
      ]);
    },
  );

  it('names every command in the README', async () => {
    const { stdout } = await new Place().run(['--help']);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) (?:\[|<|\s)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help');
    expect(listed).toEqual(expect.arrayContaining(['record', 'inspect', 'export', 'demo', 'proxy']));
    for (const name of listed) expect(page('README.md')).toMatch(new RegExp(`(mcpreel|\`)\\s?${name}`));
  });

  it('contains a library example in the README that prints the messages', () => {
    const place = new Place();
    place.write('session.json', seedSession);
    const example = (blocks(page('README.md'), 'ts')[0] ?? '').replace(
      "'mcpreel'",
      JSON.stringify(new URL('dist/index.js', root)),
    );
    place.write('example.mjs', example);
    const printed = execFileSync(process.execPath, ['example.mjs'], { cwd: place.folder, encoding: 'utf8' });
    expect(printed).toBe('client_to_server {"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  });

  it.each([
    ['session file', 'session.json', seedSession, 'json', 1],
    ['trace', 'trace.jsonl', seedTrace, 'trace', 2],
    ['trace of HTTP', 'http.jsonl', httpTrace, 'trace', 2],
  ])('shows a %s in docs/formats.md that can be read without problems', async (_, name, content, format, messages) => {
    const place = new Place();
    place.write(name, content);
    const { code, stdout, stderr } = await place.run(['inspect', '--strict', '--json', name]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      summary: { format, messages, problems: 0 },
    });
  });

  it('links only to pages and headings that exist', () => {
    const docs = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'));
    const names = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.map((n) => `docs/${n}`)];
    const links = names.flatMap((name) =>
      [...page(name).matchAll(/\]\(([^)\s:]+)\)/g)].map(([, target = '']) => ({ name, target })),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ name, target }) => !leadsSomewhere(name, target))).toEqual([]);
  });
});

function leadsSomewhere(from: string, target: string): boolean {
  const [path = '', heading] = target.split('#');
  const url = new URL(path, new URL(from, root));
  return existsSync(url) && (heading === undefined || anchorsIn(readFileSync(url, 'utf8')).includes(heading));
}

/** The headings of a page, as URL fragments. */
function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
