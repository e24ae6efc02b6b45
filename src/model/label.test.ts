import { describe, expect, it } from 'vitest';
import { defaultLabel } from './label.ts';

describe('defaultLabel', () => {
  it.each([
    [['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/me'], 'filesystem'],
    [['npx', '-y', '@scope/pkg@1.2.3'], 'pkg'],
    [['npx', '@scope/server@latest'], 'scope'],
    [['npx', '@playwright/mcp@latest'], 'playwright'],
    [['fastmcp', 'run', '/x/calculator.py:mcp'], 'calculator'],
    [['tsx', 'watch', 'weather.ts'], 'weather'],
    [['op', 'run', '--', 'npx', 'pager'], 'pager'],
    [['dotenvx', 'run', '-f', '.env', '--', 'node', 'notes.js'], 'notes'],
    [['cargo', 'run', '--manifest-path', '/x/crate/Cargo.toml'], 'crate'],
    [['node', '.'], 'node'],
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
    [['docker', 'run', '-i', '--rm', 'mcp/github'], 'github'],
    [
      ['docker', 'run', '-i', '--rm', '-e', 'TOKEN', '-e', 'A=b', 'ghcr.io/github/github-mcp-server:v1.2'],
      'github-mcp-server',
    ],
    [
      ['docker', 'run', '-it', '--mount', 'type=bind,src=/a,dst=/b', '--name', 'x', 'localhost:5000/a/files@sha256:0a'],
      'files',
    ],
    [['podman', 'run', '--env-file=.env', '-v', '/a:/b', 'mcp/fetch', '--stdio'], 'fetch'],
    [['docker', 'run', '-i', 'node:20', 'npx', '-y', '@scope/pkg@1.2.3'], 'pkg'],
    [['docker', 'run', '--init', 'python:3.12-slim'], 'python'],
    [['docker', 'exec', '-i', 'notes', 'server'], 'notes'],
    [['docker', 'compose', '-f', 'x.yml', 'run', '--rm', '-T', 'weather'], 'weather'],
    [['docker'], 'docker'],
    [['uv', '--directory', '/srv/weather', 'run', 'weather.py'], 'weather'],
    [['uv', 'run', '--directory', '/srv/notes', 'server.py'], 'notes'],
    [['uv', 'run', '--directory=/srv/notes/src', '--with', 'mcp[cli]', 'mcp', 'run', 'server.py'], 'notes'],
    [['uv', 'run', '--with', 'fastmcp', 'fastmcp', 'run', '/srv/mail/server.py'], 'mail'],
    [['uvx', '--from', 'x', 'y'], 'y'],
    [['uvx', '--from', 'git+https://github.com/me/tool', 'tool-mcp', '--stdio'], 'tool-mcp'],
    [['uvx', '--python', '3.12', 'mcp-server-git==1.2'], 'git'],
    [['uvx', 'mcp-server-time[extra]@latest'], 'time'],
    [['pipx', 'run', '--spec', 'pkg', 'cmd-a'], 'cmd-a'],
    [['node', '-e', 'one()'], 'node-e0e0a604'],
    [['node', '--input-type', 'module', '--eval=two()'], 'node-c2ce7fce'],
    [['node', '--import', './hooks.mjs', '-r', 'dotenv/config', '/srv/weather/dist/index.js'], 'weather'],
    [['python', '-W', 'ignore', '-u', '-m', 'weather.server'], 'weather.server'],
    [['python3', '-c', 'print(1)'], 'python3-90ce8e1e'],
    [['deno', 'run', '-A', 'npm:@scope/pkg@1.2.3'], 'pkg'],
    [['deno', 'run', '--allow-net=a.example', 'jsr:@me/mail'], 'mail'],
    [['bunx', '--bun', '@scope/pkg@1'], 'pkg'],
    [['bun', 'x', 'pkg'], 'pkg'],
    [['npx', '--package', '@scope/pkg@2', 'run-it'], 'run-it'],
    [['npx', '-y', '--package=@scope/pkg@2'], 'pkg'],
    [['npx', '-y', 'github:me/mail#main'], 'mail'],
    [['npx', '-y', 'mcp-remote', 'https://mcp.example.com/sse'], 'mcp.example.com'],
    [['npm', '--prefix', '/srv/mail', 'run', 'start'], 'mail'],
    [['sh', '-c', 'cd /srv && exec npx -y "@scope/pkg@1.2.3" --stdio'], 'pkg'],
    [['bash', '-lc', 'TOKEN=a node /srv/mail/index.js 2>/dev/null | cat'], 'mail'],
    [['cmd', '/c', 'npx', '-y', '@scope/pkg'], 'pkg'],
    [['cmd.exe', '/d', '/s', '/c', 'npx -y @scope/pkg'], 'pkg'],
    [['C:\\Program Files\\nodejs\\npx.cmd', '-y', '@scope/pkg'], 'pkg'],
    [['C:\\x\\mail.cmd', '-y'], 'mail'],
    [['cmd', '/c', 'C:\\tools\\npx.cmd -y "@scope/pkg"'], 'pkg'],
    [['powershell', '-ExecutionPolicy', 'Bypass', '-File', 'C:\\x\\mail.ps1'], 'mail'],
    [['java', '-Xmx1g', '-jar', '/srv/mail-1.jar'], 'mail-1'],
    [['dotnet', 'run', '--project', 'src/Mail.csproj'], 'Mail'],
    [['cargo', 'run', '--bin', 'mail'], 'mail'],
    [['go', 'run', './cmd/mail'], 'mail'],
    [['env', '-i', '-u', 'X', 'node', 'mail.js'], 'mail'],
    [['timeout', '30', 'node', 'mail.js'], 'mail'],
    [['npx', '-y', 'mcp-remote@0.1.2', 'https://a.example/mcp', '--header', 'X-Api-Key: letmein-77'], 'a.example'],
    [['npx', '-y', 'mcp-remote', '--header', 'Authorization:$AUTH', 'https://a.example/mcp'], 'a.example'],
    [['npx', 'mcp-remote', '--header', 'Authorization:$AUTH'], 'mcp-remote'],
    [['npx', 'supergateway', '--streamableHttp', 'https://b.example/mcp', '--oauth2Bearer', 'hunter2'], 'b.example'],
    [['npx', 'supergateway', '--oauth2Bearer', 'hunter2', '--sse=https://b.example:8/mcp'], 'b.example:8'],
    [['npx', 'supergateway', '--baseUrl', 'http://x', '--stdio', 'npx -y @scope/pkg /data'], 'pkg'],
    [['uvx', 'mcp-proxy', '--transport', 'streamablehttp', 'https://a.example/mcp'], 'a.example'],
    [['uvx', 'mcp-proxy', '-H', 'X-Key', 'swordfish', 'https://a.example/mcp'], 'a.example'],
    [['mcp-proxy', '--allow-origin', 'https://x.example', '--pass-environment', 'uvx', 'mcp-server-fetch'], 'fetch'],
    [['npx', '-y', '@smithery/cli@latest', 'run', '@o/mail', '--key', 'hunter2'], 'mail'],
    [['npx', '-y', '@smithery/cli', 'run', '--key', 'hunter2', '@o/mail'], 'mail'],
    [['nix', 'run', 'nixpkgs#mail'], 'mail'],
    [['nix', 'run', 'github:me/mail', '--', '--stdio'], 'mail'],
    [['nix', 'shell', 'nixpkgs#nodejs', '-c', 'npx', '-y', 'pkg'], 'pkg'],
    [['nix-shell', '-p', 'nodejs', '--run', 'node mail.js'], 'mail'],
    [['go', 'run', '-tags', 'x', './cmd/mail'], 'mail'],
    [['go', 'run', '-C', '/srv/mail', '.'], 'mail'],
    [['cargo', 'run', '-p', 'mail', '--profile', 'x'], 'mail'],
    [['uvx', '-c', 'c.txt', 'mail'], 'mail'],
    [['wsl', '--distribution', 'Ubuntu', '--cd', '~', '--exec', 'uvx', 'mail'], 'mail'],
    [['deno', 'run', '-A', '--import-map', '/x/im.json', '-r', '/srv/k/mail.ts'], 'mail'],
    [['node', '--watch-path', './src', 'mail.js'], 'mail'],
    [['nodemon', '-e', 'ts', '--exec', 'tsx mail.ts'], 'mail'],
    [['ssh', '-p', '22', 'me@mail.example', 'node', 'notes.js'], 'notes'],
    [['ssh', 'me@mail', 'cd /srv && node notes.js'], 'notes'],
    [['ssh', '-T', 'me@mail'], 'mail'],
    [['kubectl', 'exec', '-i', '-n', 'prod', 'pod-1', '--', 'node', 'notes.js'], 'notes'],
    [['kubectl', 'exec', '-i', 'pod-1'], 'pod-1'],
    [['cross-env', 'A=b', 'node', 'mail.js'], 'mail'],
    [['dotenv', '-e', '.env', '--', 'node', 'mail.js'], 'mail'],
    [['uvx', '--index-token', '[REDACTED:token:00112233]', 'mail'], 'mail'],
    [['npx', '[REDACTED:token:00112233]'], 'npx'],
    [['python', '-m', '[REDACTED:token:00112233]'], 'python'],
    [['/'], 'session'],
    [[''], 'session'],
    [[], 'session'],
  ])('labels %j "%s"', (command, label) => {
    expect(defaultLabel(command)).toBe(label);
  });

  it('hashes code without the digits of its placeholders, which differ in each recording', () => {
    const label = (digits: string): string => defaultLabel(['node', '-e', `run("[REDACTED:token:${digits}]")`]);
    expect(label('00112233')).toBe(label('44556677'));
  });

  it('ends for programs that run one another without end, and for hostile words', () => {
    expect(defaultLabel(Array.from({ length: 1000 }, () => 'env'))).toBe('env');
    expect(defaultLabel(['sh', '-c', '&&'.repeat(100_000)])).toBe('sh');
    expect(defaultLabel(['node', `${'/'.repeat(100_000)}x`])).toBe('x');
    expect(defaultLabel(['sh', '-c', '"'])).toBeTypeOf('string');
  });

  it('labels a URL with its host', () => {
    expect(defaultLabel([], 'https://mcp.example.com:8443/v1/mcp?key=1')).toBe('mcp.example.com:8443');
    expect(defaultLabel(['node', 'x.js'], 'not an address')).toBe('x');
    expect(defaultLabel([], 'not an address')).toBe('session');
  });
});
