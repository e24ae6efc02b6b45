import { describe, expect, it } from 'vitest';
import { ToolHeaders } from '../../protocol/modern-headers.ts';
import { headersForBody, headersForDecoded, headersForEdit, headersForOwn } from './edited-headers.ts';

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
const call = (name: string, args: string, id = '"id":1,'): string =>
  `{"jsonrpc":"2.0",${id}"method":"tools/call","params":{"name":"${name}","arguments":${args},${META}}}`;
const sent = (...more: string[]): string[] => [
  ...['host', 'h', 'mcp-protocol-version', '2026-07-28', 'MCP-METHOD', 'tools/call', 'Mcp-Name', 'echo'],
  ...more,
];

function toolsWith(name: string, argument: string, header: string): ToolHeaders {
  const tools = new ToolHeaders();
  const property = { [argument]: { type: 'string', 'x-mcp-header': header } };
  tools.learn(JSON.stringify({ tools: [{ name, inputSchema: { type: 'object', properties: property } }] }));
  return tools;
}

describe('the headers of an edited body', () => {
  it('updates Content-Length in place, and removes Content-Encoding', () => {
    const headers = ['A', '1', 'content-LENGTH', '99', 'Content-Encoding', 'gzip', 'B', '2'];
    expect(headersForBody(headers, 5)).toEqual(['A', '1', 'content-LENGTH', '5', 'B', '2']);
  });

  it('adds Content-Length if the original body was chunked', () => {
    const headers = ['Transfer-Encoding', 'chunked', 'Trailer', 'X', 'A', '1'];
    expect(headersForBody(headers, 5)).toEqual(['A', '1', 'Content-Length', '5']);
  });

  it('removes Content-Length if the body is decoded while it is forwarded', () => {
    expect(headersForDecoded(['Content-Encoding', 'br', 'Content-Length', '3', 'A', '1'])).toEqual(['A', '1']);
  });
});

describe('the headers of an edited message of the newest revision', () => {
  const none = new ToolHeaders();

  it('updates the headers to match the edit, and keeps their order and case', () => {
    expect(headersForEdit(sent('X', 'y'), call('echo', '{}'), call('add', '{}'), none)).toEqual([
      ...['host', 'h', 'mcp-protocol-version', '2026-07-28', 'MCP-METHOD', 'tools/call', 'Mcp-Name', 'add', 'X', 'y'],
    ]);
  });

  it('keeps headers that the edit does not affect, even wrong ones', () => {
    const wrong = ['mcp-method', 'nonsense', 'Mcp-Name', 'echo'];
    expect(headersForEdit(wrong, call('echo', '{"a":1}'), call('echo', '{"a":2}'), none)).toEqual(wrong);
  });

  it('adds, changes and removes the headers that the tool declares', () => {
    const tools = toolsWith('echo', 'region', 'Region');
    const [with1, with2, without] = [
      call('echo', '{"region":"a"}'),
      call('echo', '{"region":"é"}'),
      call('echo', '{}'),
    ];
    expect(headersForEdit(sent('mcp-param-region', 'a'), with1, with2, tools)).toEqual(
      sent('mcp-param-region', '=?base64?w6k=?='),
    );
    expect(headersForEdit(sent('mcp-param-region', 'a'), with1, without, tools)).toEqual(sent());
    expect(headersForEdit(sent(), without, with1, tools)).toEqual(sent('Mcp-Param-Region', 'a'));
  });

  it('updates an undeclared header from the argument that had its value', () => {
    const before = call('echo', '{"n":7,"m":8}');
    expect(headersForEdit(sent('Mcp-Param-N', '7'), before, call('echo', '{"n":9,"m":8}'), none)).toEqual(
      sent('Mcp-Param-N', '9'),
    );
    expect(headersForEdit(sent('Mcp-Param-N', '7'), before, call('echo', '{"m":8}'), none)).toEqual(sent());
    expect(headersForEdit(sent('Mcp-Param-N', '5'), before, call('echo', '{"n":9}'), none)).toEqual(
      sent('Mcp-Param-N', '5'),
    );
  });

  it('does not add headers to a notification, which needs none', () => {
    const note = (name: string): string => call(name, '{}', '');
    expect(headersForEdit(['A', '1'], note('a'), note('b'), none)).toEqual(['A', '1']);
  });

  it('leaves the headers of older revisions and of invalid JSON unchanged', () => {
    const old = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}';
    expect(headersForEdit(sent(), old, old.replace('"a"', '"b"'), none)).toEqual(sent());
    expect(headersForEdit(sent(), call('echo', '{}'), '{no JSON', none)).toEqual(sent());
  });
});

it('gives an injected message the headers of its client, and those derived from its own body', () => {
  const own = call('add', '{}');
  expect(headersForOwn(sent('Mcp-Param-N', '5', 'Authorization', 'x'), own, new ToolHeaders())).toEqual([
    ...['host', 'h', 'Authorization', 'x'],
    ...['MCP-Protocol-Version', '2026-07-28', 'Mcp-Method', 'tools/call', 'Mcp-Name', 'add'],
  ]);
  const old = '{"jsonrpc":"2.0","method":"notifications/x"}';
  expect(headersForOwn(['MCP-Protocol-Version', '2025-06-18', 'Mcp-Session-Id', 's'], old, new ToolHeaders())).toEqual([
    ...['MCP-Protocol-Version', '2025-06-18', 'Mcp-Session-Id', 's'],
  ]);
});
