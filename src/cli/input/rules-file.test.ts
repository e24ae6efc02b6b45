import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message } from '../../../test/contract/factories.ts';
import { ReelError } from '../../model/errors.ts';
import type { RuleOutcome } from '../../model/rule-outcome.ts';
import { loadRules } from './rules-file.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-rules-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string | Uint8Array): string {
  const path = join(folder, 'rules.yaml');
  writeFileSync(path, content);
  return path;
}

/** The outcome of a message under the rules of a file. */
async function ruled(content: string, text = '{"id":1,"method":"ping","params":{}}'): Promise<RuleOutcome | undefined> {
  return (await loadRules(file(content))).rule({ entry: message({ text }) });
}

/** The error message for an unusable file, without its folder. */
async function complaint(path: string): Promise<string> {
  const error: unknown = await loadRules(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ReelError);
  expect(error).toMatchObject({ code: 'usage' });
  return (error as ReelError).message.replace(join(folder, '/'), '');
}

const rule = (...lines: readonly string[]): string => `rules:\n  - ${lines.join('\n    ')}\n`;
const answering = (value: string): string => rule(`answer: ${value}`);
const answer = async (value: string): Promise<string | undefined> => {
  const end = (await ruled(answering(value)))?.end;
  return end?.action === 'answer' ? /"result":(.*)\}$/.exec(end.text)?.[1] : undefined;
};

describe('loadRules', () => {
  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-0.10', '-0.10'],
    ['1.0', '1.0'],
    ['1e400', '1e400'],
    ['0x1F', '31'],
    ['+7', '7'],
    ['.5', '0.5'],
    ['007', '7'],
    ['"7"', '"7"'],
    ['yes', '"yes"'],
    ['True', 'true'],
    ['~', 'null'],
    ['"a\\n\\u00e9\\uD83D"', String.raw`"a\né\ud83d"`],
    ['{ b: 1, a: [x, { c: null }], 3: d }', '{"b":1,"a":["x",{"c":null}],"3":"d"}'],
    ['[]', '[]'],
    ['{}', '{}'],
    ['!!str 7', '"7"'],
    ['[&a { x: 1 }, *a]', '[{"x":1},{"x":1}]'],
    ['[&a 1, *a, &a 2, *a]', '[1,1,2,2]'],
    ['[&b [&a 1, *a], &a 2, *b, *a]', '[[1,1],2,[1,1],2]'],
  ])('converts the YAML value %s to the JSON %s', async (value, json) => {
    expect(await answer(value)).toBe(json);
  });

  it('accepts JSON, including tabs and a byte order mark', async () => {
    const json = JSON.stringify({ rules: [{ name: 'a', drop: true }] }, null, '\t');
    expect(await ruled(`\ufeff${json}`)).toMatchObject({ rules: ['a'], end: { action: 'drop' } });
  });

  it('accepts a file without rules', async () => {
    expect(await ruled('rules: []')).toBeUndefined();
  });

  it.each([
    ['250', 250],
    ['250ms', 250],
    ['1.5s', 1500],
    ['"2m"', 120_000],
    ['60m', 3_600_000],
  ])('parses the delay %s', async (delay, delayMs) => {
    expect(await ruled(rule(`delay: ${delay}`))).toMatchObject({ delayMs });
  });

  it('applies set before replace, regardless of their order in the file', async () => {
    const rules = rule('replace: { pattern: a, with: b }', 'set: { $.params.x: aa }', 'hold: true', 'delay: 1s');
    expect(await ruled(rules)).toEqual({
      rules: ['rule 1'],
      text: '{"id":1,"method":"ping","params":{"x":"bb"}}',
      delayMs: 1000,
      holds: true,
    });
  });

  it.each([
    ['', '1:1: Expected a map with the key rules, got nothing'],
    ['# nothing', '1:1: Expected a map with the key rules, got nothing'],
    ['- drop: true', '1:1: Expected a map with the key rules, got a list'],
    ['rules:', '1:7: rules must be a list, got nothing'],
    ['rules: [{ drop: true }\nx: 1', '2:1: A list or map before this line has no closing ]'],
    ['rules:\n\t- drop: true', '2:1: Tabs are not allowed as indentation'],
    ['rules: []\nmore: 1', '2:1: Unknown key: more'],
    [rule('nme: x'), '2:5: Unknown key: nme'],
    [rule('name: x', 'drop: true', 'name: y'), '4:5: Duplicate key name'],
    [rule('1: x', '"1": y'), '3:5: Duplicate key 1'],
    [rule('"a\\nb": x'), '2:5: Unknown key: a b'],
    ['rules:\n  - drop', '2:5: Expected a rule here, got drop'],
    [rule('match: tool:x'), '2:5: The rule has no action'],
    [rule('drop: true', 'hold: true'), '2:11: A rule cannot have both hold and drop'],
    [rule('drop: false'), '2:11: drop must be true, got false'],
    [rule('hold:'), '2:10: hold must be true, got nothing'],
    ['rules:\n- { name: a, drop: true }\n- { name: a, drop: true }', '3:3: Two rules are named a'],
    ['rules:\n- { drop: true, name: rule 2 }\n- drop: true', '3:3: Two rules are named rule 2'],
    [rule('name: 7', 'drop: true'), '2:11: name must be a string, got 7'],
    [rule('name: ""', 'drop: true'), '2:11: name must be one line of up to 100 characters'],
    [rule('times: 0', 'drop: true'), '2:12: times must be a whole number of at least 1, got 0'],
    [rule('skip: 1.5', 'drop: true'), '2:11: skip must be a whole number of at least 1, got 1.5'],
    [rule('delay: 2h'), '2:12: delay must be a duration, got 2h'],
    [rule('delay: 0'), '2:12: delay must be a duration, got 0'],
    [rule('delay: 61m'), '2:12: delay must be a duration, got 61m'],
    [rule('delay: "1s or x"'), '2:12: delay must be a duration, got 1s or x'],
    [rule('answer:'), '2:12: Missing value'],
    [rule('answer: .inf'), '2:13: .inf is not a JSON value'],
    [rule('answer: !!binary eA=='), '2:22: Unsupported YAML tag tag:yaml.org,2002:binary'],
    [rule('answer: { [a]: 1 }'), '2:15: A key must be a string'],
    [rule('error: { code: x, message: y }'), '2:20: code must be a whole number, got x'],
    [rule('error: { code: 1 }'), '2:12: message is missing'],
    [rule('error: { code: 1, message: a, more: 1 }'), '2:35: Unknown key: more'],
    [rule('set: {}'), '2:10: Expected paths and their values after set:'],
    [rule('set: { $.a: }'), '2:17: Missing value'],
    [rule('set: { $.é..: 1 }'), '2:15: Cannot use the path $.é..: invalid from here on'],
    [rule('set: { "a": 1 }'), '2:13: Cannot use the path a: it does not start with $'],
    [rule('set: { $: 1 }'), '2:12: Cannot use the path $: it selects the whole message'],
    [rule('replace: { pattern: a( , with: b }'), '2:25: Cannot use the pattern a(: missing closing ): `a(`'],
    [rule('replace: { pattern: a, with: b$1 }'), '2:35: The pattern has no group 1'],
    [rule('replace: { pattern: a, with: 1 }'), '2:34: with must be a string, got 1'],
    [rule('replace: { pattern: a }'), '2:14: with is missing'],
    [rule('replace: { pattern: a, with: b, in: x }'), '2:41: Cannot use the path x: it does not start with $'],
  ])('reports the position of an error: %j', async (content, reported) => {
    expect(await complaint(file(content))).toBe(`rules.yaml:${reported}`);
  });

  it.each([
    ['match: tool:x status:okay', '2:26: Unknown status: okay'],
    ['match: "é tool:x status:okay"', '2:29: Unknown status: okay'],
    ["match: 'tool:x (>'", '2:20: Missing )'],
    ['match: tool:x /a(/', '2:19: Cannot use /a(/: missing closing ): `a(`'],
    ['match: "\\u0041 status:okay"', '2:12: Unknown status: okay (column 10)'],
    ['match: |\n      tool:x\n      status:okay', '2:12: Unknown status: okay (column 15)'],
    ['match: 404', '2:12: match must be a string, got 404'],
  ])('reports the position of an error inside a filter: %j', async (match, reported) => {
    expect(await complaint(file(rule(match, 'drop: true')))).toBe(`rules.yaml:${reported}`);
  });

  it.each([
    ['rules: [', '1:9: '],
    ['rules:\n  - match: > tool:x\n', '2:14: '],
    ['rules: []\n---\nrules: []', '2:1: A second YAML document begins here'],
    ['rules: *a', '1:8: Unknown anchor &a'],
    ['rules: &a [*a]', '1:12: Unknown anchor &a'],
    ['['.repeat(100_000), '1:201: More than 100 nested levels'],
    ['- '.repeat(100_000), '1:400: More than 100 nested levels'],
  ])('reports the position of invalid or unsupported YAML: %#', async (content, reported) => {
    expect(await complaint(file(content))).toContain(`rules.yaml:${reported}`);
  });

  it('rejects aliases that expand exponentially', async () => {
    const levels = Array.from(
      { length: 8 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(10)}]`,
    );
    expect(await complaint(file(`a0: &a0 lol\n${levels.join('\n')}`))).toContain(
      'Too many values, including those repeated by aliases',
    );
  });

  it('rejects more than 500 rules', async () => {
    const rules = (count: number): string => `rules:\n${'- drop: true\n'.repeat(count)}`;
    expect((await loadRules(file(rules(500)))).counts()).toHaveLength(500);
    expect(await complaint(file(rules(501)))).toBe('rules.yaml:502:3: More than 500 rules');
  });

  it('rejects a file that is not UTF-8, too large or unreadable', async () => {
    expect(await complaint(file(Uint8Array.of(0xff, 0xfe)))).toBe('rules.yaml is not UTF-8');
    expect(await complaint(file(`#${' '.repeat(1 << 20)}`))).toBe('rules.yaml is larger than 1 MiB');
    expect(await complaint(join(folder, 'none'))).toBe('Cannot read none: no such file or folder');
    expect(await complaint(folder)).toBe(`Cannot read ${folder}: is a folder`);
  });
});
