import { type PlatformPath, posix, win32 } from 'node:path';
import type { InstallClient, InstallPlace } from './client.ts';

const MCP_SERVERS = [['mcpServers']];

/** Every client whose servers can be wrapped. To add one, add an entry here and a folder in test/corpus/install/. */
export const clients: readonly InstallClient[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    syntax: 'jsonc',
    maps: MCP_SERVERS,
    files: (place) =>
      claudeDesktopFolders(place).map((folder) => inFolder(place, folder, 'claude_desktop_config.json')),
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    syntax: 'jsonc',
    maps: [['mcpServers'], ['projects', '*', 'mcpServers']],
    files: (place) => [
      inFolder(place, place.env.CLAUDE_CONFIG_DIR || place.home, '.claude.json'),
      inProject(place, '.mcp.json'),
    ],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    syntax: 'jsonc',
    maps: MCP_SERVERS,
    files: (place) => [inHome(place, '.cursor', 'mcp.json'), inProject(place, '.cursor', 'mcp.json')],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    syntax: 'jsonc',
    maps: [['servers']],
    files: (place) => [
      inSettings(place, 'Code', 'User', 'mcp.json'),
      inSettings(place, 'Code - Insiders', 'User', 'mcp.json'),
      inProject(place, '.vscode', 'mcp.json'),
    ],
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    syntax: 'jsonc',
    maps: MCP_SERVERS,
    files: (place) => [inHome(place, '.codeium', 'windsurf', 'mcp_config.json')],
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    syntax: 'jsonc',
    maps: MCP_SERVERS,
    files: (place) => [inHome(place, '.gemini', 'settings.json'), inProject(place, '.gemini', 'settings.json')],
  },
  {
    id: 'codex',
    title: 'Codex',
    syntax: 'toml',
    maps: [['mcp_servers']],
    files: (place) => [
      inFolder(place, place.env.CODEX_HOME || inHome(place, '.codex'), 'config.toml'),
      inProject(place, '.codex', 'config.toml'),
    ],
  },
  {
    id: 'zed',
    title: 'Zed',
    syntax: 'jsonc',
    maps: [['context_servers']],
    files: (place) => [zedSettings(place), inProject(place, '.zed', 'settings.json')],
  },
];

/** On Windows, the packaged app reads its own folder, and the older app reads the usual one. */
function claudeDesktopFolders(place: InstallPlace): string[] {
  const usual = inSettings(place, 'Claude');
  if (place.platform !== 'win32') return [usual];
  const local = place.env.LOCALAPPDATA || inHome(place, 'AppData', 'Local');
  return [inFolder(place, local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude'), usual];
}

/** Zed uses ~/.config on macOS, too. */
function zedSettings(place: InstallPlace): string {
  return place.platform === 'darwin'
    ? inHome(place, '.config', 'zed', 'settings.json')
    : inSettings(place, place.platform === 'win32' ? 'Zed' : 'zed', 'settings.json');
}

/** Returns a path in the platform's folder for user settings. */
function inSettings(place: InstallPlace, ...names: string[]): string {
  switch (place.platform) {
    case 'win32':
      return inFolder(place, place.env.APPDATA || inHome(place, 'AppData', 'Roaming'), ...names);
    case 'darwin':
      return inHome(place, 'Library', 'Application Support', ...names);
    default:
      return inFolder(place, place.env.XDG_CONFIG_HOME || inHome(place, '.config'), ...names);
  }
}

function inHome(place: InstallPlace, ...names: string[]): string {
  return inFolder(place, place.home, ...names);
}

function inProject(place: InstallPlace, ...names: string[]): string {
  return inFolder(place, place.cwd, ...names);
}

function inFolder({ platform }: InstallPlace, folder: string, ...names: string[]): string {
  const path: PlatformPath = platform === 'win32' ? win32 : posix;
  return path.join(folder, ...names);
}
