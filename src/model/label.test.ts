import { describe, expect, it } from 'vitest';
import { defaultLabel } from './label.ts';

describe('defaultLabel', () => {
  it.each([
    [['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/me'], 'filesystem'],
    [['npx', '-y', '@scope/pkg@1.2.3'], 'pkg'],
    [['npx', '@scope/server@latest'], 'server'],
    [['bunx', 'mcp-server-git'], 'git'],
    [['uvx', 'mcp-server-fetch', '--x'], 'fetch'],
    [['uv', 'run', 'weather.py'], 'weather'],
    [['python', '-m', 'my_server'], 'my_server'],
    [['/usr/bin/python3.12', '-m', 'my_server'], 'my_server'],
    [['python', 'my_server.py'], 'my_server'],
    [['node', '/srv/dist/weather-server.mjs', '--port', '1'], 'weather-server'],
    [['node', '--enable-source-maps', 'build/index.js'], 'index'],
    [['C:\\nodejs\\node.exe', 'C:\\x\\server-git.js'], 'git'],
    [['pnpm', 'dlx', 'server-memory'], 'memory'],
    [['env', 'TOKEN=1', './my-server'], 'my-server'],
    [['env', 'TOKEN=1', 'npx', '-y', 'server-memory'], 'memory'],
    [['uv', 'run', 'python', '-m', 'my_server'], 'my_server'],
    [['npx', 'tsx', 'src/weather.ts'], 'weather'],
    [['/usr/local/bin/my-server'], 'my-server'],
    [['server-'], 'server-'],
    [['node'], 'node'],
    [['npx', '-y'], 'npx'],
    [['/'], 'session'],
    [[''], 'session'],
    [[], 'session'],
  ])('labels %j "%s"', (command, label) => {
    expect(defaultLabel(command)).toBe(label);
  });

  it('labels a URL with its host', () => {
    expect(defaultLabel([], 'https://mcp.example.com:8443/v1/mcp?key=1')).toBe('mcp.example.com:8443');
    expect(defaultLabel(['node', 'x.js'], 'not an address')).toBe('x');
    expect(defaultLabel([], 'not an address')).toBe('session');
  });
});
