import { describe, expect, it } from 'vitest';
import { describeClient } from '../../test/contract/client-contract.ts';
import type { InstallPlace } from './client.ts';
import { clients } from './clients.ts';

for (const client of clients) describeClient(client);

/** The configuration files of every client, for this place. */
function filesIn(place: Partial<InstallPlace>): Record<string, readonly string[]> {
  const whole: InstallPlace = { platform: 'linux', home: '/home/me', cwd: '/project', env: {}, ...place };
  return Object.fromEntries(clients.map(({ id, files }) => [id, files(whole)]));
}

describe('The config files of clients', () => {
  it('finds the config files on Linux', () => {
    expect(filesIn({})).toEqual({
      'claude-desktop': ['/home/me/.config/Claude/claude_desktop_config.json'],
      'claude-code': ['/home/me/.claude.json', '/project/.mcp.json'],
      cursor: ['/home/me/.cursor/mcp.json', '/project/.cursor/mcp.json'],
      vscode: [
        '/home/me/.config/Code/User/mcp.json',
        '/home/me/.config/Code - Insiders/User/mcp.json',
        '/project/.vscode/mcp.json',
      ],
      windsurf: ['/home/me/.codeium/windsurf/mcp_config.json'],
      'gemini-cli': ['/home/me/.gemini/settings.json', '/project/.gemini/settings.json'],
      codex: ['/home/me/.codex/config.toml', '/project/.codex/config.toml'],
      zed: ['/home/me/.config/zed/settings.json', '/project/.zed/settings.json'],
    });
  });

  it('finds the config files on macOS', () => {
    expect(filesIn({ platform: 'darwin', home: '/Users/me' })).toMatchObject({
      'claude-desktop': ['/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
      vscode: [
        '/Users/me/Library/Application Support/Code/User/mcp.json',
        '/Users/me/Library/Application Support/Code - Insiders/User/mcp.json',
        '/project/.vscode/mcp.json',
      ],
      zed: ['/Users/me/.config/zed/settings.json', '/project/.zed/settings.json'],
    });
  });

  it('finds the config files on Windows', () => {
    const env = { APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local' };
    expect(filesIn({ platform: 'win32', home: 'C:\\Users\\me', cwd: 'C:\\work', env })).toMatchObject({
      'claude-desktop': [
        'D:\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
        'D:\\Roaming\\Claude\\claude_desktop_config.json',
      ],
      'claude-code': ['C:\\Users\\me\\.claude.json', 'C:\\work\\.mcp.json'],
      vscode: [
        'D:\\Roaming\\Code\\User\\mcp.json',
        'D:\\Roaming\\Code - Insiders\\User\\mcp.json',
        'C:\\work\\.vscode\\mcp.json',
      ],
      codex: ['C:\\Users\\me\\.codex\\config.toml', 'C:\\work\\.codex\\config.toml'],
      zed: ['D:\\Roaming\\Zed\\settings.json', 'C:\\work\\.zed\\settings.json'],
    });
    expect(filesIn({ platform: 'win32', home: 'C:\\Users\\me', cwd: 'C:\\work' })['claude-desktop']?.[1]).toBe(
      'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    );
  });

  it('finds the config files through the environment variables that the clients use', () => {
    const env = { XDG_CONFIG_HOME: '/xdg', CLAUDE_CONFIG_DIR: '/claude', CODEX_HOME: '/codex' };
    expect(filesIn({ env })).toMatchObject({
      'claude-desktop': ['/xdg/Claude/claude_desktop_config.json'],
      'claude-code': ['/claude/.claude.json', '/project/.mcp.json'],
      codex: ['/codex/config.toml', '/project/.codex/config.toml'],
      zed: ['/xdg/zed/settings.json', '/project/.zed/settings.json'],
    });
  });
});
