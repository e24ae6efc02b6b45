import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Terminal } from '../cli/terminal.ts';
import { CommandPlace } from '../support/command-place.ts';
import type { Outcome } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { notLinux, unless } from '../support/unless.ts';
import { NEEDED, UNSEEN } from '../support/unseen-characters.ts';
import { SampleTrace, said } from '../tui/sample-traces.ts';
import { type Reply, ServedView } from '../view/served-view.ts';
import { OWN } from './hiding-commands.ts';

const ID = 'abcd1234-0000-4000-8000-000000000000';

/**
 * Colors, a title, the clipboard, C1 controls, bidi controls, invisible characters, and a line that imitates mcpreel's
 * output.
 */
const BAD = `\u001b[2J\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u009b31m\u202egnp\u2066x\u200b\u{e0041}\u00ad\u2028\r\nError: all is well ${Object.values(UNSEEN).join('x')}`;

/** A recording with hostile text in every field, whose server would create a file if it ran. */
function hostileTrace(mark: string): string {
  const command = ['/bin/sh', '-c', `touch ${mark}; exec cat`, BAD];
  const meta = { t: '2026-01-02T03:04:05.000Z', type: 'meta', v: 1, id: ID, label: BAD, transport: 'stdio', command };
  const lines: unknown[] = [
    {
      ...meta,
      cwd: BAD,
      env: [BAD],
      kind: BAD,
      source: BAD,
      producer: { name: BAD, version: BAD },
      metadata: { [BAD]: BAD },
      redact: BAD,
      sessionFile: `${mark}.json`,
    },
    message(0, 'in', {
      jsonrpc: '2.0',
      id: BAD,
      method: 'initialize',
      params: { protocolVersion: BAD, capabilities: { [BAD]: {} }, clientInfo: { name: BAD, version: BAD } },
    }),
    message(1, 'out', {
      jsonrpc: '2.0',
      id: BAD,
      result: { protocolVersion: BAD, capabilities: {}, serverInfo: { name: BAD, version: BAD } },
    }),
    message(2, 'in', { jsonrpc: '2.0', id: 2, method: 'tools/list' }),
    message(3, 'out', {
      jsonrpc: '2.0',
      id: 2,
      result: {
        tools: [
          {
            name: BAD,
            description: BAD,
            inputSchema: {
              type: 'object',
              required: [BAD],
              properties: { a: { $ref: '#' }, b: { pattern: '(a+)+$' }, [BAD]: { type: BAD } },
            },
          },
        ],
      },
    }),
    message(4, 'in', {
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: BAD, arguments: { [BAD]: BAD, b: `${'a'.repeat(40)}!` } },
    }),
    message(5, 'out', { jsonrpc: '2.0', id: 3, error: { code: -1, message: BAD, data: BAD } }),
    message(6, 'in', { jsonrpc: '2.0', id: 4, method: BAD, params: { [BAD]: BAD } }),
    event('stdio.stderr', { text: BAD }),
    event('stdio.noise', { dir: BAD, text: BAD }),
    event('mcpreel.gap', { missed: 1, why: BAD }),
    event(BAD, { [BAD]: BAD }),
    event('http.exchange', {
      exchange: 1,
      method: BAD,
      path: BAD,
      status: 500,
      error: BAD,
      requestHeaders: [[BAD, BAD]],
      responseHeaders: [],
    }),
    { t: BAD, dir: 'in', id: BAD, raw: { method: BAD } },
    { t: '2026-01-02T03:04:06.000Z', type: 'end', reason: BAD, signal: BAD, exitCode: 1 },
  ];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\nno JSON ${BAD}\n`;
}

const message = (index: number, dir: 'in' | 'out', raw: object): object => ({
  t: `2026-01-02T03:04:05.${100 + index}Z`,
  dir,
  id: `msg-${index}`,
  raw,
});

const event = (kind: string, raw: object): object => ({
  t: '2026-01-02T03:04:05.900Z',
  type: 'event',
  dir: 'event',
  kind,
  raw,
});

/** Every command that reads recordings and prints them. */
const telling: readonly (readonly string[])[] = [
  ['inspect', 'F'],
  ['inspect', '--calls', 'F'],
  ['inspect', '--stats', 'F'],
  ['inspect', '--findings', 'F'],
  ['stats', 'F', 'F'],
  ['check', 'F', '--junit', 'check.xml', '--sarif', 'check.sarif'],
  ['diff', 'F', 'other.jsonl', '--html', 'diff.html'],
  ['export', 'F', '-f', 'json', '-o', 'out.json'],
  ['redact', 'F', '-o', 'out.jsonl'],
  ['redact', 'F', '--check'],
  ['import', 'F', '--out-trace', 'out.trace'],
  ['replay', 'F'],
  ['replay', 'F', '--dry-run', '--', 'true'],
  ['baseline', 'accept', 'F'],
  ['mock', 'F'],
  ['sessions'],
  ['sessions', 'show', ID.slice(0, 8)],
  ['sessions', 'recover', ID.slice(0, 8), '-o', 'recovered.json'],
  ['doctor'],
];

/** Characters that a terminal interprets or does not show. */
const ACTED_UPON = new RegExp(
  `(?!\\n)[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}${Object.values(UNSEEN)
    .map((char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
    .join('')}]`,
  'u',
);

function hostilePlace(): CommandPlace {
  const place = new CommandPlace();
  const trace = hostileTrace(place.path('RAN'));
  place.write('F', trace);
  place.write('other.jsonl', trace.replaceAll('"code":-1', '"code":-2'));
  place.write(`home/sessions/2026-01-02T03-04-05-000Z-x-${ID.slice(0, 8)}.jsonl`, trace);
  return place;
}

describe('A hostile recording', { timeout: 90_000 }, () => {
  it('a hostile recording runs no command and controls no terminal when it is read', async () => {
    const place = hostilePlace();
    const outcomes: (Outcome & { args: string })[] = [];
    const waiting = [...telling];
    const work = async (): Promise<void> => {
      for (let args = waiting.shift(); args; args = waiting.shift()) {
        outcomes.push({ args: args.join(' '), ...(await place.run(args)) });
      }
    };
    await Promise.all([work(), work()]);
    expect(
      outcomes.filter(({ stdout, stderr }) => ACTED_UPON.test(`${stdout}${stderr}`)).map(({ args }) => args),
    ).toEqual([]);
    expect(outcomes.filter(({ stderr }) => /^Error: all is well/m.test(stderr)).map(({ args }) => args)).toEqual([]);
    expect(outcomes.filter(({ signal, code }) => signal !== null || code === null).map(({ args }) => args)).toEqual([]);
    // The commands did print the hostile text.
    expect(outcomes.find(({ args }) => args === 'inspect F')?.stdout).toContain('\\u001b[2J');
    for (const name of ['RAN', 'RAN.json']) expect(existsSync(place.path(name))).toBe(false);
  });

  it('a hostile recording does not control the terminal with its payloads', unless(notLinux), async () => {
    const terminal = new Terminal('inspect -v F', hostilePlace());
    await terminal.ended;
    expect(terminal.screen()).not.toMatch(ACTED_UPON);
    expect(terminal.screen()).toContain('"method": "tools/call"');
  });

  it('the command line prints emoji and scripts that need joiners as they were sent', async () => {
    const place = new CommandPlace();
    const texts = Object.values(NEEDED);
    const calls = texts.map((name, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }));
    place.write('F', calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
    const { stdout } = await place.run(['inspect', '--calls', 'F']);
    expect(texts.filter((text) => !stdout.includes(`tools/call ${text} `))).toEqual([]);
  });

  it('a hostile recording runs a command from the page only if the user agreed to exactly that one', async () => {
    const place = hostilePlace();
    // If a variable were missing, the plan would report only that.
    place.write('F', place.read('F').replace(`"env":[${JSON.stringify(BAD)}]`, '"env":[]'));
    const view = await ServedView.start(place, ['F']);
    const post = (path: string, body: object): ReturnType<ServedView['ask']> =>
      view.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    expect((await view.ask('/api/files/0')).status).toBe(200);
    const what = { of: '0', message: 'msg-4' };
    const plan = await post('/api/replay/plan', what);
    expect(plan.status).toBe(200);
    const { question, nonce } = JSON.parse(plan.text) as { question: unknown; nonce: string };
    expect(JSON.stringify(question)).toContain('touch');
    const run = async (agreement: object): Promise<string> =>
      (await post('/api/replay/run', { ...what, typed: '', ...agreement })).text;
    const unconfirmed = expect.stringContaining('This replay was not confirmed');
    for (const guess of ['', 'x', nonce.slice(1), `${nonce}x`])
      expect(await run({ nonce: guess })).toEqual(unconfirmed);
    // A nonce is used up by one attempt, and is for one call.
    expect(await run({ nonce, typed: 'node server.js' })).toContain('The typed value differs');
    expect(await run({ nonce })).toEqual(unconfirmed);
    const second = JSON.parse((await post('/api/replay/plan', what)).text) as { nonce: string };
    expect(await run({ nonce: second.nonce, message: 'msg-2' })).toEqual(unconfirmed);
    expect(existsSync(place.path('RAN'))).toBe(false);
  });

  it.each([
    ['the command', 'touch', 'chmod'],
    ['the name of the call', '"name":"read"', '"name":"drop"'],
    ['the arguments of the call', '"path":"a"', '"path":"b"'],
  ])('a recording in which %s changes after it was shown is not replayed', async (_, before, after) => {
    const place = new Place();
    const command = ['sh', '-c', `touch ${place.path('RAN')}; exec cat`];
    new SampleTrace({ command }).call(1, 2, 'read', { path: 'a' }, said('x')).write(place, OWN);
    const view = await ServedView.start(place, [OWN]);
    const post = async (path: string, body: object): Promise<Reply> =>
      view.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const what = { of: '0', message: 'm0' };
    const { nonce } = JSON.parse((await post('/api/replay/plan', what)).text) as { readonly nonce: string };
    place.write(OWN, place.read(OWN).replace(before, after));
    const { status, text } = await post('/api/replay/run', { ...what, nonce, typed: '' });
    expect([status, text]).toEqual([409, expect.stringContaining('The recording changed')]);
    expect(existsSync(place.path('RAN'))).toBe(false);
  });
});
