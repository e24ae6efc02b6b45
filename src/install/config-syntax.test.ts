import { describe, expect, it } from 'vitest';
import { clients } from './clients.ts';
import { readConfig } from './config-syntax.ts';
import type { ConfigDocument } from './server-entry.ts';

function read(id: string, text: string): ConfigDocument {
  const client = clients.find((one) => one.id === id);
  if (client === undefined) throw new Error(`No client ${id}`);
  return readConfig(client, text);
}

/** The parsed single entry of a configuration. */
function entryIn(id: string, text: string): unknown {
  const { path: _path, ...entry } = read(id, text).entries[0] ?? { path: [] };
  return entry;
}

describe('A client configuration', () => {
  it.each([
    ['cursor', '', 0],
    ['cursor', ' // nothing yet\n', 0],
    ['cursor', '[]', 0],
    ['cursor', '{"mcpServers": []}', 0],
    ['cursor', '{"servers": {"x": {"command": "x"}}}', 0],
    ['claude-code', '{"projects": {"/a": 1, "/b": {"mcpServers": {"x": {"command": "x"}}}}}', 1],
    ['codex', '', 0],
    ['codex', 'mcp_servers = 1', 0],
    ['codex', '[[mcp_servers]]\ncommand = "x"', 0],
  ])('accepts a configuration of %s with few servers or none: %s', (id, text, servers) => {
    expect(read(id, text).entries).toHaveLength(servers);
  });

  it.each([
    ['cursor', '{"mcpServers": {', 'invalid JSON: close brace expected in line 1'],
    ['cursor', '{\n  "mcpServers": {}\n  "x": 1 }', 'invalid JSON: comma expected in line 3'],
    ['cursor', "{'mcpServers': {}}", 'invalid JSON: invalid symbol in line 1'],
    ['cursor', '{}\n{}', 'invalid JSON: end of file expected in line 2'],
    ['cursor', '{"mcpServers": {\n"x": {},\n"x": {}}}', 'duplicate key "x" in line 3'],
    ['cursor', '{"mcpServers": {}, "\\u006dcpServers": {}}', 'duplicate key "mcpServers" in line 1'],
    ['cursor', '{"mcpServers": {"x": {"args": [], "args": []}}}', 'duplicate key "args" in line 1'],
    ['codex', 'a = 1\nb = ', 'invalid TOML: invalid value in line 2'],
    ['codex', '[mcp_servers.x]\n[mcp_servers.x]', 'invalid TOML: '],
  ])('rejects a configuration of %s that is invalid or ambiguous: %s', (id, text, message) => {
    expect(() => read(id, text)).toThrow(message);
  });

  it.each([
    ['{"url": "https://h/mcp"}', 'streamable-http'],
    ['{"type": "http", "url": "https://h/sse"}', 'streamable-http'],
    ['{"type": "sse", "url": "https://h/x"}', 'sse'],
    ['{"url": "https://h/sse?k=1"}', 'sse'],
    ['{"httpUrl": "https://h/sse"}', 'streamable-http'],
    ['{"serverUrl": "https://h/mcp"}', 'streamable-http'],
  ])('reads a server with a URL: %s', (entry, transport) => {
    expect(entryIn('cursor', `{"mcpServers": {"x": ${entry}}}`)).toMatchObject({ kind: 'http', transport });
  });

  it.each([
    ['{}', 'it has no command'],
    ['"npx"', 'it is not an object'],
    ['{"command": ["npx", "x"]}', 'its command is not a string'],
    ['{"command": {}}', 'its command is not a string'],
    ['{"command": "npx", "args": "-y x"}', 'its arguments are not a list of strings'],
    ['{"command": "npx", "args": ["-y", 1]}', 'its arguments are not a list of strings'],
    ['{"command": "npx", "args": null}', 'its arguments are not a list of strings'],
    ['{"command": "npx", "url": "https://h"}', 'it has both a command and a URL'],
    ['{"command": "npx", "type": "http"}', 'it has both a command and a URL'],
  ])('does not support the entry %s', (entry, reason) => {
    expect(entryIn('cursor', `{"mcpServers": {"x": ${entry}}}`)).toEqual({ kind: 'other', reason });
  });

  it.each([
    ['command = ["npx"]', 'its command is not a string'],
    ['command = "npx"\nargs = ["-y", 1]', 'its arguments are not a list of strings'],
    ['command = "npx"\nargs = "-y"', 'its arguments are not a list of strings'],
    ['command = "npx"\nurl = "https://h"', 'it has both a command and a URL'],
    ['env = {}', 'it has no command'],
  ])('does not support the TOML entry %s', (entry, reason) => {
    expect(entryIn('codex', `[mcp_servers.x]\n${entry}`)).toEqual({ kind: 'other', reason });
  });
});
