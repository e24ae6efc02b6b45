import { describe, expect, it } from 'vitest';
import { CALL, sent } from '../../test/support/page/sample-sent.ts';
import { shellQuote, visibleJson } from '../parts/shell-quote.ts';
import { asShell } from './copy-curl.ts';
import { asMarkdown } from './copy-markdown.ts';
import { asSdkCode } from './copy-sdk.ts';

describe('a word for a shell', () => {
  it('is the text itself where nothing in it means anything', () => {
    expect(shellQuote('/usr/bin/node')).toBe('/usr/bin/node');
  });

  it('shows nothing that cannot be seen', () => {
    expect(shellQuote('a\u202Eb\u001b')).toBe("$'a\\xe2\\x80\\xaeb\\x1b'");
  });
});

describe('a message as a command line', () => {
  it('writes what cannot be seen as escapes of JSON, which mean the same', () => {
    const text = '{"method":"x","a":"\u202E\u009b\u{e0041}"}';
    expect(visibleJson(text)).toBe('{"method":"x","a":"\\u202e\\u009b\\udb40\\udc41"}');
    expect(JSON.parse(visibleJson(text))).toEqual(JSON.parse(text));
  });

  it('is none for what is no JSON, for other addresses, and where nobody knows the server', () => {
    expect(asShell(sent({ text: '@/etc/passwd', url: 'http://h/' }))).toBeUndefined();
    expect(asShell(sent({ url: 'file:///etc/passwd' }))).toBeUndefined();
    expect(asShell(sent({}))).toBeUndefined();
  });
});

describe('a request as code', () => {
  it('calls a tool with the arguments as they were', () => {
    expect(asSdkCode(CALL)).toBe(
      `const result = await client.callTool({\n  "name": "say",\n  "arguments": {\n    "a": "it's $(id) \`x\` !"\n  }\n});\n`,
    );
  });

  it('says where numbers lose digits, and keeps a key that code would take for something else', () => {
    const text =
      '{"id":1,"method":"prompts/get","params":{"name":"p","arguments":{"\\u005f_proto__":12345678901234567890}}}';
    const code = asSdkCode(text) ?? '';
    expect(code).toContain('/* JavaScript cannot hold all digits of some of these numbers */ JSON.parse(');
    const value = new Function(`return ${code.slice(code.indexOf('JSON.parse'), code.lastIndexOf(');'))}`)() as object;
    expect(JSON.stringify(value)).toContain('__proto__');
  });

  it('goes through the request method where the client has no other', () => {
    expect(asSdkCode('{"id":1,"method":"x/\\u202Ey","params":{"a":1,"_meta":{}}}')).toBe(
      'const result = await client.request({ method: "x/\\u202ey", params: {\n  "a": 1\n} }, z.looseObject({}));\n',
    );
    expect(asSdkCode('{"id":1,"method":"tools/list"}')).toBe('const result = await client.listTools();\n');
    expect(asSdkCode('{"method":"notifications/x"}')).toBeUndefined();
  });
});

describe('a call as Markdown', () => {
  it('is made of whatever a server sent, however many backticks that has', () => {
    const text = JSON.stringify({ a: '` '.repeat(300_000) });
    expect(asMarkdown({ title: 'x', facts: [], texts: [{ heading: 'Result', text }], findings: [] })).toContain(
      '```json',
    );
  });

  it('lets nothing out of its fence, and nothing in words be Markdown', () => {
    const text = JSON.stringify({ a: '````\n# not a heading <img src=x>' });
    const note = asMarkdown({
      title: 'tools/call `x` \n# y',
      facts: ['✕ tool error', 'took 2 s'],
      texts: [{ heading: 'Arguments', text }],
      findings: ['at [a](http://x), <b>'],
    });
    expect(note).toBe(
      [
        '### ``tools/call `x` # y``',
        '✕ tool error · took 2 s',
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
