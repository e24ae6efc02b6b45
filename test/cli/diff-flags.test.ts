import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { withoutSpace } from '../support/recordings.ts';
import { type SessionMessage, sessionText } from '../support/session-texts.ts';

/** A session of alternating requests and responses. */
function talk(...texts: readonly string[]): string {
  return sessionText(
    texts.map((rest, n): SessionMessage => {
      const payload = `{"jsonrpc":"2.0","id":${Math.floor(n / 2)},${rest}}`;
      return { payload, from: n % 2 === 0 ? '>' : '<', ...(n % 2 === 1 && { more: `"correlated_id":"msg-00${n}"` }) };
    }),
  );
}

const call = (name: string, args = '{}'): string =>
  `"method":"tools/call","params":{"name":"${name}","arguments":${args}}`;

async function diff(
  a: string,
  b: string,
  flags: readonly string[] = [],
  place: CommandPlace = new CommandPlace(),
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const files = [place.write('a.json', a), place.write('b.json', b)];
  const { code, stdout, stderr } = await place.run(['diff', ...files, ...flags]);
  return { code, stdout, stderr };
}

const took = (milliseconds: number): string => talk(call('search'), `"result":{"took":${milliseconds},"hits":[]}`);

const page = readFileSync(new URL('../../docs/diff.md', import.meta.url), 'utf8');

/** The code block of this language in docs/diff.md. */
function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? '';
}

describe('diff --json', () => {
  it('prints the documented object, with every value as it was sent', async () => {
    const tools = (type: string): string =>
      `"result":{"tools":[{"name":"add","inputSchema":{"properties":{"a":{"type":"${type}"}}}}]}`;
    const add = call('add', '{"a": 1}');
    const a = talk('"method":"tools/list"', tools('number'), add, '"result":{"total":12345678901234567890}');
    const b = talk(
      ...['"method":"tools/list"', tools('integer'), add, '"result":{"total":2.0}'],
      ...['"method":"resources/read","params":{"uri":"file:///b"}', '"result":{"contents":[]}'],
    );
    const { code, stdout, stderr } = await diff(a, b, ['--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(withoutSpace(stdout)).toBe(withoutSpace(block('json')));
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  });

  it('prints empty lists if nothing differs', async () => {
    const { stdout } = await diff(took(1), took(1), ['--json', '--exit-code']);
    expect(JSON.parse(stdout)).toEqual({
      a: { session: '550e8400-e29b-41d4-a716-446655440000', label: 'my_server', calls: 1 },
      b: { session: '550e8400-e29b-41d4-a716-446655440000', label: 'my_server', calls: 1 },
      compare: 'semantic',
      summary: { differences: 0, contract: 0, breaking: 0, sequence: 0, values: 0 },
      contract: [],
      sequence: [],
      values: [],
    });
  });
});

describe('diff --exit-code', () => {
  it('exits with 3 for any kind of difference, and with 0 if there is no difference', async () => {
    const tools = (names: readonly string[]): string =>
      talk('"method":"tools/list"', `"result":{"tools":[${names.map((name) => `{"name":"${name}"}`).join()}]}`);
    expect((await diff(took(1), took(2), ['--exit-code'])).code).toBe(3);
    expect((await diff(took(1), talk(call('other'), '"result":{}'), ['--exit-code'])).code).toBe(3);
    expect((await diff(tools(['a']), tools(['a', 'b']), ['--exit-code', '--json'])).code).toBe(3);
    expect((await diff(took(1), took(2))).code).toBe(0);
    expect((await diff(took(1), took(1), ['--exit-code'])).code).toBe(0);
  });
});

describe('diff --ignore', () => {
  it('ignores paths in all calls or in those of one tool', async () => {
    expect((await diff(took(1), took(2), ['--exit-code', '--ignore', '$.result.took'])).code).toBe(0);
    expect((await diff(took(1), took(2), ['--exit-code', '--ignore', 'tool:search $..took'])).code).toBe(0);
    const others = ['--ignore', 'tool:other $.result.took', '--ignore', '$.took'];
    expect((await diff(took(1), took(2), ['--exit-code', ...others])).code).toBe(3);
  });

  it('accepts the file in the documentation', async () => {
    const place = new CommandPlace();
    place.write('ignore.txt', block('ignore'));
    const stock = (count: number): string =>
      talk(call('stock'), `"result":{"content":[{"type":"text","text":"{\\"count\\":${count}}"}]}`);
    const flags = ['--exit-code', '--ignore-file', 'ignore.txt'];
    expect((await diff(stock(1), stock(2), flags, place)).code).toBe(0);
    expect((await diff(took(1), took(2), flags, place)).code).toBe(3);
  });

  it('refuses an invalid path before it reads anything', async () => {
    const place = new CommandPlace();
    place.write('rules.txt', '# times\n$.a\nb\n');
    expect(await place.run(['diff', 'no.json', 'no.json', '--ignore', 'took'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^Error: Cannot use the ignored path "took": it does not start with "\$"\. Use a path like .*\n$/,
      ),
    });
    expect(await place.run(['diff', 'no.json', 'no.json', '--ignore-file', 'rules.txt'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Error: rules\.txt: line 3: Cannot use the ignored path "b": .*\n$/),
    });
    expect(await place.run(['diff', 'no.json', 'no.json', '--ignore-file', 'none.txt'])).toMatchObject({
      code: 1,
      stderr: 'Error: Cannot read none.txt: no such file\n',
    });
  });
});

describe('diff --compare', () => {
  it.each([
    ['strict', 3, '{"nextCursor":"a","n":1}', '{"nextCursor":"b","n":1}'],
    ['semantic', 0, '{"nextCursor":"a","n":1}', '{"nextCursor":"b","n":1}'],
    ['semantic', 3, '{"n":1}', '{"n":2}'],
    ['shape', 0, '{"n":1}', '{"n":2}'],
    ['shape', 3, '{"n":1}', '{"n":"1"}'],
  ])('%s exits with %i for %s and %s', async (profile, code, a, b) => {
    const answered = (result: string): string => talk(call('x'), `"result":${result}`);
    expect((await diff(answered(a), answered(b), ['--exit-code', '--compare', profile])).code).toBe(code);
  });
});

describe('diff', () => {
  it('shows added, removed and reordered calls, and what changed in the definitions', async () => {
    const tools = (rest: string): string => `"result":{"tools":[{"name":"x"${rest}}]}`;
    const list = '"method":"tools/list"';
    const a = talk(
      list,
      tools(',"description":"old"'),
      call('x'),
      '"result":{}',
      call('y', '{"q":"\u202e"}'),
      '"result":{}',
    );
    const b = talk(list, tools(''), call('z'), '"result":{}', call('x'), '"result":{}');
    expect((await diff(a, b)).stdout).toBe(`A: a.json, 3 calls
B: b.json, 3 calls

Definitions
  ~ tool x $.description removed (A #001, B #001)
      - "old"

Calls
  - > tools/call y {"q":"\\u202e"} removed (A #004 #005)
  + > tools/call z added (B #002 #003)

3 differences: 1 in the definitions, 2 in the calls
`);
    const first = talk(call('x'), '"result":{}', call('y'), '"result":{}');
    const second = talk(call('y'), '"result":{}', call('x'), '"error":{"code":1,"message":"no"}');
    expect((await diff(first, second)).stdout).toBe(`A: a.json, 2 calls
B: b.json, 2 calls

Calls
  ~ > tools/call x reordered (A #000 #001, B #002 #003)

Values
  > tools/call x (A #000 #001, B #002 #003)
    the whole response
      - {"jsonrpc":"2.0","id":0,"result":{}}
      + {"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}

2 differences: 1 in the calls, 1 in values
`);
  });

  it('cuts long values, and shows no more than twenty differences of one call', async () => {
    const answered = (n: number): string =>
      talk(
        call('x'),
        `"result":{"long":"${String(n).repeat(1e5)}","list":[${Array.from({ length: 30 }, () => n).join()}]}`,
      );
    const { stdout } = await diff(answered(1), answered(2));
    expect(stdout).toContain(`      - "${'1'.repeat(158)}…\n      + "${'2'.repeat(158)}…\n`);
    expect(stdout).toContain('\n    … and 11 more\n\n31 differences: 31 in values\n');
  });

  it('shows long values starting near the difference', async () => {
    const answered = (word: string): string => talk(call('x'), `"result":{"text":"${'a'.repeat(500)} ${word}"}`);
    const { stdout } = await diff(answered('left'), answered('right'));
    expect(stdout).toContain(`      - …${'a'.repeat(11)} left"\n      + …${'a'.repeat(11)} right"\n`);
  });

  it.each(['check', 'stats', 'view', 'import'])('refuses standard input given twice to %s', async (command) => {
    expect(await new CommandPlace().run([command, '-', '-'], { input: took(1) })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: Standard input is given twice. Pass a file for one of them.\n',
    });
  });

  it('reads one session from standard input, but not both', async () => {
    const place = new CommandPlace();
    const file = place.write('a.json', took(1));
    expect(await place.run(['diff', '-', file], { input: took(2) })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 difference: 1 in values'),
    });
    expect(await place.run(['diff', '-', '-'], { input: took(2) })).toMatchObject({
      code: 2,
      stderr: 'Error: Standard input is given twice. Pass a file for one of them.\n',
    });
  });

  it('requires two sessions that exist', async () => {
    const place = new CommandPlace();
    const file = place.write('a.json', took(1));
    expect((await place.run(['diff', file])).code).toBe(2);
    expect(await place.run(['diff', file, 'b.json'])).toMatchObject({
      code: 1,
      stderr: 'Error: No file or session id "b.json". List sessions: mcpreel sessions\n',
    });
  });

  it('reports an unreadable message once, and fails on it with --strict', async () => {
    const broken = took(1).replace('"client_to_server"', '"up"');
    const { code, stderr } = await diff(broken, took(2));
    expect(code).toBe(0);
    expect(stderr.match(/a\.json: message 0/g)).toHaveLength(1);
    expect((await diff(broken, took(2), ['--strict'])).code).toBe(1);
  });
});
