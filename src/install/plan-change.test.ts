import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clients } from './clients.ts';
import type { ConfigFile } from './config-file.ts';
import { readConfig, syntaxOf } from './config-syntax.ts';
import type { WrapRecord } from './entry-edit.ts';
import { planUnwrap, planWrap, type UnwrapChange } from './plan-change.ts';
import { type StdioEntry, wordsOf } from './server-entry.ts';
import { wordsBefore } from './wrapping.ts';

const recorder = { command: '/usr/bin/node', args: ['/opt/mcpreel/dist/mcpreel.cjs'] };

function fileOf(id: string, text: string): ConfigFile {
  const client = clients.find((one) => one.id === id);
  if (client === undefined) throw new Error(`No client ${id}`);
  return { client, path: '/config', realPath: '/config', text, entries: readConfig(client, text).entries };
}

function stdioIn(file: ConfigFile): StdioEntry[] {
  return file.entries.filter((entry) => entry.kind === 'stdio');
}

function wrap(id: string, text: string): { after: string; records: readonly WrapRecord[] } {
  const file = fileOf(id, text);
  return planWrap(file, stdioIn(file), (name) => wordsBefore(recorder, name, []));
}

function unwrap(id: string, text: string, records: readonly WrapRecord[]): UnwrapChange {
  const file = fileOf(id, text);
  return planUnwrap(file, stdioIn(file), records);
}

const cursor = (entry: string): string => `{\n  "mcpServers": {\n    "x": ${entry}\n  }\n}\n`;

describe('Wrapping', () => {
  it('prepends the recorder to the command line of an entry and leaves the rest unchanged', () => {
    const text = cursor('{ "command": "n\\u0070x", "args": ["-y", "a\\/b"], "env": {"K": "v"} }');
    expect(wrap('cursor', text).after).toBe(
      cursor(
        '{ "command": "/usr/bin/node", "args": ["/opt/mcpreel/dist/mcpreel.cjs", "--label", "x", "--", "n\\u0070x", "-y", "a\\/b"], "env": {"K": "v"} }',
      ),
    );
  });

  it('adds arguments on a separate line if the members are on separate lines', () => {
    const text = cursor('{\n\t\t\t"command":"npx"\n\t\t}');
    expect(wrap('cursor', text).after).toBe(
      cursor(
        '{\n\t\t\t"command":"/usr/bin/node",\n\t\t\t"args":["/opt/mcpreel/dist/mcpreel.cjs", "--label", "x", "--", "npx"]\n\t\t}',
      ),
    );
  });

  it('puts each argument on its own line if the existing ones are', () => {
    const text = '[mcp_servers.x]\r\ncommand = "npx"\r\nargs = [\r\n    "-y",\r\n]\r\n';
    expect(wrap('codex', text).after).toBe(
      '[mcp_servers.x]\r\ncommand = "/usr/bin/node"\r\nargs = [\r\n' +
        ['/opt/mcpreel/dist/mcpreel.cjs', '--label', 'x', '--', 'npx', '-y']
          .map((word) => `    "${word}",\r\n`)
          .join('') +
        ']\r\n',
    );
  });

  it('adds arguments to their TOML table if the next line starts another table', () => {
    const text = '[mcp_servers.x]\ncommand = "npx" # why\n[other]\na = 1\n';
    expect(wrap('codex', text).after).toBe(
      '[mcp_servers.x]\ncommand = "/usr/bin/node" # why\nargs = ["/opt/mcpreel/dist/mcpreel.cjs", "--label", "x", "--", "npx"]\n[other]\na = 1\n',
    );
  });
});

describe('The diff of a change', () => {
  it('contains the added and removed lines with their line numbers in the current file', () => {
    const text = '{ "mcpServers": {\n "x": {\n  "args": [\n   "a",\n   "b"\n  ],\n  "command": "c" } } }';
    const file = fileOf('cursor', text);
    const { hunks } = planWrap(file, stdioIn(file), (name) => wordsBefore(recorder, name, []));
    const path = ['mcpServers', 'x'];
    const added = ['/opt/mcpreel/dist/mcpreel.cjs', '--label', 'x', '--', 'c'].map((one) => `   "${one}",`);
    expect(hunks).toEqual([
      { path, line: 4, removed: [], added },
      { path, line: 7, removed: ['  "command": "c"…'], added: ['  "command": "/usr/bin/node"…'] },
    ]);
  });
});

describe('Unwrapping', () => {
  it.each([
    ['other servers', (text: string) => text.replace('"mcpServers": {', '"mcpServers": {\n    "y": {"command": "y"},')],
    ['the environment', (text: string) => text.replace('"K": "v"', '"K": "other", "L": ""')],
    ['a comment', (text: string) => `// mine\n${text}`],
    ['an argument behind', (text: string) => text.replace('"b"]', '"b", "--more"]')],
  ])('restores the exact bytes after the user changed %s', (_, edit) => {
    const text = cursor('{ "command": "npx", "args": ["-y",  "b"], "env": {"K": "v"} }');
    const { after, records } = wrap('cursor', text);
    const file = fileOf('cursor', edit(after));
    const wrapped = stdioIn(file).filter((entry) => entry.path.at(-1) === 'x');
    const change = planUnwrap(file, wrapped, records);
    expect(change.after).toBe(edit(text));
    expect(change.unwrapped).toEqual([{ path: ['mcpServers', 'x'], exact: true }]);
  });

  it.each([
    ['arguments', '{ "command": "npx", "args": ["-y"] }'],
    ['an empty list', '{ "command": "npx", "args": [] }'],
    ['no list', '{ "command": "npx" }'],
  ])('restores the command line after a formatter changed all whitespace: %s', (_, entry) => {
    const { after, records } = wrap('cursor', cursor(entry));
    const formatted = JSON.stringify(JSON.parse(after), null, 7);
    const change = unwrap('cursor', formatted, records);
    expect(JSON.parse(change.after)).toEqual(JSON.parse(cursor(entry)));
    expect(change.unwrapped).toEqual([{ path: ['mcpServers', 'x'], exact: false }]);
  });

  it('keeps the changes that the user made in the entry itself', () => {
    const { after, records } = wrap('cursor', cursor('{ "command": "npx" }'));
    const edited = after.replace('"npx"]', '"bunx", "mine"]').replace('"--label", "x"', '"--label", "y"');
    expect(JSON.parse(unwrap('cursor', edited, records).after)).toEqual(
      JSON.parse(cursor('{ "command": "bunx", "args": ["mine"] }')),
    );
  });

  it.each([
    ['came', '{ "command": "npx", "args": [] }', '"npx"]', '"npx", "mine"]', { command: 'npx', args: ['mine'] }],
    ['went', '{ "command": "npx", "args": ["-y"] }', ', "-y"]', ']', { command: 'npx', args: [] }],
  ])('keeps the args list after arguments %s', (_, entry, written, edited, result) => {
    const { after, records } = wrap('cursor', cursor(entry));
    const change = unwrap('cursor', after.replace(written, edited), records);
    expect(JSON.parse(change.after).mcpServers.x).toEqual(result);
    expect(change.unwrapped).toMatchObject([{ exact: false }]);
  });

  it('removes a comma that would be left over', () => {
    const { after } = wrap('cursor', cursor('{ "command": "npx", "args": ["-y"] }'));
    const edited = after.replace(', "-y"]', ',]');
    expect(unwrap('cursor', edited, []).after).toBe(cursor('{ "command": "npx", "args": [] }'));
  });
});

interface RandomServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[] | undefined;
  readonly argsFirst: boolean;
}

const word = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('--', 'npx', 'mcpreelish', '"', '\\'),
);
const servers = fc.uniqueArray(
  fc.record<RandomServer>({
    name: word,
    command: word,
    args: fc.option(fc.array(word, { maxLength: 4 }), { nil: undefined }),
    argsFirst: fc.boolean(),
  }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 4 },
);

/** Returns one item after the other, and starts again after the last. */
function cycling(items: readonly string[]): () => string {
  let next = 0;
  return () => items[next++ % items.length] ?? '';
}

function jsoncText(given: readonly RandomServer[], space: () => string, trailing: string): string {
  const list = (open: string, items: readonly string[], close: string): string => {
    const body = items.map((item) => `${space()}${item}${space()}`).join(',');
    return `${open}${body}${items.length > 0 ? trailing : ''}${space()}${close}`;
  };
  const member = (key: string, value: string): string => `${JSON.stringify(key)}${space()}:${space()}${value}`;
  const entries = given.map(({ name, command, args, argsFirst }) => {
    const program = member('command', JSON.stringify(command));
    const words =
      args &&
      member(
        'args',
        list(
          '[',
          args.map((one) => JSON.stringify(one)),
          ']',
        ),
      );
    const members = words === undefined ? [program] : argsFirst ? [words, program] : [program, words];
    return member(name, list('{', [...members, member('env', '{}')], '}'));
  });
  return `${space()}${list('{', [member('mcpServers', list('{', entries, '}'))], '}')}${space()}`;
}

function tomlText(given: readonly RandomServer[], space: () => string, inline: boolean, lineBreak: string): string {
  const { quote } = syntaxOf(fileOf('codex', '').client);
  const entries = given.map(({ name, command, args, argsFirst }) => {
    const literal = /^[ -&(-~]*$/.test(command) ? `'${command}'` : quote(command);
    const words = args && `args = [${args.map((one) => `${space()}${quote(one)}${space()}`).join(',')}${space()}]`;
    const program = `command = ${literal}`;
    const members = words === undefined ? [program] : argsFirst ? [words, program] : [program, words];
    return inline
      ? `${quote(name)} = { ${members.join(' , ')} }`
      : [`[mcp_servers.${quote(name)}]`, ...members.map((one) => `  ${one} # c`)].join(lineBreak);
  });
  return [...(inline ? ['[mcp_servers]'] : []), ...entries].join(lineBreak);
}

function expectRoundTrip(id: string, text: string, servers: number): void {
  const before = stdioIn(fileOf(id, text)).map((entry) => ({ path: entry.path, words: wordsOf(entry) }));
  expect(before).toHaveLength(servers);
  const { after, records } = wrap(id, text);
  const wrapped = stdioIn(fileOf(id, after)).map(({ path }) => path);
  expect(wrapped).toEqual(before.map(({ path }) => path));
  expect(unwrap(id, after, records).after).toBe(text);
  const byMeaning = stdioIn(fileOf(id, unwrap(id, after, []).after));
  expect(byMeaning.map((entry) => ({ path: entry.path, words: wordsOf(entry) }))).toEqual(before);
}

describe('Wrapping and unwrapping', () => {
  it('restores any JSON configuration byte for byte', () => {
    const spaces = fc.array(fc.constantFrom('', ' ', '\n', '\r\n  ', '\t', '/* " */', ' // ]}\n', '\n    '), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(servers, spaces, fc.constantFrom('', ','), (given, space, trailing) =>
        expectRoundTrip('cursor', jsoncText(given, cycling(space), trailing), given.length),
      ),
    );
  });

  it('restores any TOML configuration byte for byte', () => {
    const spaces = fc.array(fc.constantFrom('', ' ', '\n', '\r\n  ', '\t', ' # ]"\n', '\n    '), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(servers, spaces, fc.boolean(), fc.constantFrom('\n', '\r\n'), (given, space, inline, lineBreak) =>
        expectRoundTrip('codex', tomlText(given, cycling(space), inline, lineBreak), given.length),
      ),
    );
  });
});
