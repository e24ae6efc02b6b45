import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEFT_OUT, shellLine, shellWord } from '../../src/model/shell-line.ts';
import { asShell } from '../../web/detail/copy-curl.ts';
import { CALL, sent } from '../support/page/sample-sent.ts';
import { Place } from '../support/place.ts';
import { unless, without } from '../support/unless.ts';

const SHELLS = ['dash', 'bash', 'zsh', 'fish'] as const;
const CLEAN: Readonly<Record<string, readonly string[]>> = {
  bash: ['--norc'],
  zsh: ['-f'],
  fish: ['--no-config'],
  dash: [],
};

/** Characters with a meaning in some shell, and a few others. */
const HOSTILE = fc.string({
  unit: fc.constantFrom(
    ...`'"\\$\`!~*?[]{}()<>|&;#^%=@:-+ \t\n\r\u001b\u202eaé漢😀`,
    '\\\\',
    "\\'",
    '$(touch X)',
    '`touch X`',
    '\u2028',
  ),
  maxLength: 12,
});

/** Runs lines in a shell, in which `show` prints its arguments; returns the words of each line. */
function wordsIn(shell: string, place: Place, lines: readonly string[]): string[][] {
  const body = 'for i in "$@"; do printf "%s\\0" "$i"; done; printf "\\1"';
  place.write('bin/show', `#!/bin/sh\n${body}\n`);
  spawnSync('chmod', ['755', place.path('bin/show')]);
  const env = { PATH: `${place.path('bin')}:/usr/bin:/bin`, HOME: place.folder, LC_ALL: 'C.UTF-8' };
  const script = `${lines.join('\n')}\n`;
  const { stdout, status, stderr } = spawnSync(shell, [...(CLEAN[shell] ?? []), '-c', script], {
    cwd: place.folder,
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout
    .split('\u0001')
    .slice(0, -1)
    .map((line) => line.split('\0').slice(0, -1));
}

it.each(['x (calc)', ' ', 'a b', '', 'a\\', 'é', '@x y'])(
  'a recorded header with the value %j does not end the quotes around it on Windows',
  (id) => {
    const exchange = JSON.stringify({ path: '/mcp', requestHeaders: [['Mcp-Session-Id', id]] });
    const text = '{"jsonrpc":"2.0","id":1,"method":"x"}';
    const line = asShell(sent({ text, url: 'http://h/mcp', exchange }), 'win32') ?? '';
    expect(line).toMatch(/ -H "Mcp-Session-Id: VALUE-LEFT-OUT" --data-raw VALUE-LEFT-OUT$/);
  },
);

it('the name of a header that a server chose is left out on Windows if a shell would expand it', () => {
  const text =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":"x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}';
  const tool = '{"name":"t","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"$A%PATH%`"}}}}';
  const line = asShell(sent({ text, url: 'http://h/mcp', tool }), 'win32') ?? '';
  expect(line).toContain('-H "VALUE-LEFT-OUT: x"');
});

it('a command that is pasted into cmd or PowerShell contains nothing of a recording that needs quotes', () => {
  const text = fc.oneof(
    HOSTILE,
    fc.constantFrom('a.b_c:d/e=f@g-h', 'C:\\x', 'a" & calc & "', 'a\\', '%PATH%', '$(calc)', 'x (calc)'),
  );
  const fixed = '-H "Content-Type: application/json" -H "Accept: application/json, text/event-stream"';
  fc.assert(
    fc.property(text, text, text, (id, query, value) => {
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { a: value } });
      const exchange = JSON.stringify({ path: '/mcp', requestHeaders: [['Mcp-Session-Id', id]] });
      const url = `http://h/mcp?${query}`;
      const line = asShell(sent({ text: message, url, exchange }), 'win32') ?? '';
      expect(line.replace(fixed, '')).toMatch(
        /^curl\.exe -sS -g -X POST [\w.:/=@-]+ {2}(?:-H "Mcp-Session-Id: [\w.:/=@-]+" )?--data-raw VALUE-LEFT-OUT$/,
      );
      expect(asShell(sent({ text: message, command: ['node', id] }), 'win32')).toBeUndefined();
    }),
  );
});

describe.each(SHELLS)('a command that is pasted into %s', (shell) => {
  const options = unless(shell === 'dash' || shell === 'bash' ? undefined : without(shell));

  it('runs with the words that it was written from, for any words', options, () => {
    const place = new Place();
    fc.assert(
      fc.property(fc.array(fc.array(HOSTILE, { maxLength: 5 }), { minLength: 1, maxLength: 20 }), (commands) => {
        const lines = commands.map((words) => shellLine(['show', ...words], 'linux'));
        const expected = commands.map((words) =>
          words.map((word) => (shellWord(word, 'linux') === undefined ? LEFT_OUT : word)),
        );
        expect(wordsIn(shell, place, lines)).toEqual(expected);
      }),
    );
    expect(readdirSync(place.folder).filter((name) => name === 'X')).toEqual([]);
  });

  it('runs nothing from a recorded header, URL, command or message', options, () => {
    const place = new Place();
    const evil = [
      `s'1`,
      `a\t'; touch X; '`,
      `a'$(touch X)'`,
      "\\'; touch X #",
      '`touch X`',
      '\n touch X\n',
      '!touch',
      '\\',
      "'\\''",
    ];
    const exchange = (id: string): string =>
      JSON.stringify({
        path: '/mcp',
        requestHeaders: [
          ['Mcp-Session-Id', id],
          [`mcp-${id}`, id],
        ],
      });
    const lines = evil.flatMap((text) => [
      asShell(sent({ url: 'http://h/mcp?a=[1]', exchange: exchange(text) })) ?? '',
      asShell(
        sent({ text: CALL.replace('say', JSON.stringify(text).slice(1, -1)), url: `http://h/${encodeURI(text)}` }),
      ) ?? '',
    ]);
    for (const line of lines) expect(line).toMatch(/^curl /);
    const words = wordsIn(
      shell,
      place,
      lines.map((line) => line.replace(/^curl/, 'show')),
    );
    expect(words.map(([first]) => first)).toEqual(lines.map(() => '-sS'));
    const bodies = words.map((line) => JSON.parse(line.at(-1) ?? '') as { params: { name: string } });
    expect(bodies.filter((_, index) => index % 2 === 1).map(({ params }) => params.name)).toEqual(evil);
    const pipes = evil.map((text) => asShell(sent({ command: ['show', text, '-x'], text: CALL })) ?? '');
    const shown = wordsIn(
      shell,
      place,
      pipes.map((line) => line.replace('sleep 2', 'true')),
    );
    expect(shown).toEqual(evil.map((text) => [shellWord(text, 'linux') === undefined ? LEFT_OUT : text, '-x']));
    expect(existsSync(place.path('X'))).toBe(false);
  });
});
