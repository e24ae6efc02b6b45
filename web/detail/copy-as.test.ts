import { describe, expect, it } from 'vitest';
import { CALL, sent } from '../../test/support/page/sample-sent.ts';
import { shellQuote, visibleJson } from '../parts/shell-quote.ts';
import { asShell } from './copy-curl.ts';
import { asMarkdown } from './copy-markdown.ts';
import { asSdkCode } from './copy-sdk.ts';

describe('shellQuote', () => {
  it('leaves a word without special characters unquoted', () => {
    expect(shellQuote('/usr/bin/node')).toBe('/usr/bin/node');
  });

  it('leaves out a value that not every shell takes', () => {
    expect(shellQuote('a\u202Eb\u001b')).toBe('VALUE-LEFT-OUT');
  });
});

describe('a message as a shell command', () => {
  it('writes invisible characters as equivalent JSON escapes', () => {
    const text = '{"method":"x","a":"\u202E\u009b\u{e0041}"}';
    expect(visibleJson(text)).toBe('{"method":"x","a":"\\u202e\\u009b\\udb40\\udc41"}');
    expect(JSON.parse(visibleJson(text))).toEqual(JSON.parse(text));
  });

  it('returns no command for invalid JSON, other URL schemes or an unknown server', () => {
    expect(asShell(sent({ text: '@/etc/passwd', url: 'http://h/' }))).toBeUndefined();
    expect(asShell(sent({ url: 'file:///etc/passwd' }))).toBeUndefined();
    expect(asShell(sent({}))).toBeUndefined();
  });
});

describe('asSdkCode', () => {
  it('calls a tool with the recorded arguments', () => {
    expect(asSdkCode(CALL)).toBe(
      `const result = await client.callTool({\n  "name": "say",\n  "arguments": {\n    "a": "it's $(id) \`x\` !"\n  }\n});\n`,
    );
  });

  it('notes numbers that lose digits in JavaScript, and keeps a __proto__ key', () => {
    const text =
      '{"id":1,"method":"prompts/get","params":{"name":"p","arguments":{"\\u005f_proto__":12345678901234567890}}}';
    const code = asSdkCode(text) ?? '';
    expect(code).toContain('/* JavaScript cannot hold all digits of some of these numbers */ JSON.parse(');
    const value = new Function(`return ${code.slice(code.indexOf('JSON.parse'), code.lastIndexOf(');'))}`)() as object;
    expect(JSON.stringify(value)).toContain('__proto__');
  });

  it('uses client.request for methods that have no client method', () => {
    expect(asSdkCode('{"id":1,"method":"x/\\u202Ey","params":{"a":1,"_meta":{}}}')).toBe(
      'const result = await client.request({ method: "x/\\u202ey", params: {\n  "a": 1\n} }, z.looseObject({}));\n',
    );
    expect(asSdkCode('{"id":1,"method":"tools/list"}')).toBe('const result = await client.listTools();\n');
    expect(asSdkCode('{"method":"notifications/x"}')).toBeUndefined();
  });
});

describe('asMarkdown', () => {
  it('formats a result with 300,000 backticks', () => {
    const text = JSON.stringify({ a: '` '.repeat(300_000) });
    expect(asMarkdown({ title: 'x', facts: [], texts: [{ heading: 'Result', text }], findings: [] })).toContain(
      '```json',
    );
  });

  it('keeps content inside its code fence and escapes Markdown elsewhere', () => {
    const text = JSON.stringify({ a: '````\n# not a heading <img src=x>' });
    const note = asMarkdown({
      title: 'tools/call `x` \n# y',
      facts: ['✕ tool error', 'duration 2 s'],
      texts: [{ heading: 'Arguments', text }],
      findings: ['at [a](http://x), <b>'],
    });
    expect(note).toBe(
      [
        '### ``tools/call `x` # y``',
        '✕ tool error · duration 2 s',
        '**Arguments**',
        '`````json\n{\n  "a": "````\\n# not a heading <img src=x>"\n}\n`````',
        '**Findings**',
        '- at \\[a\\](http://x), \\<b\\>',
        '',
      ]
        .join('\n\n')
        .replace(/\n\n$/, '\n'),
    );
  });
});
