import { homedir } from 'node:os';
import { join } from 'node:path';

type HomeEnvironment = Readonly<Record<string, string | undefined>>;

/** The folder where mcpreel keeps what it records: `MCPREEL_HOME`, else the platform's place for state. */
export function stateHome(env: HomeEnvironment, platform: string, home: string = homedir()): string {
  if (env.MCPREEL_HOME) return env.MCPREEL_HOME;
  switch (platform) {
    case 'win32':
      return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'mcpreel');
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'mcpreel');
    default:
      return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'mcpreel');
  }
}

/** Where the traces are. */
export function sessionsFolder(stateFolder: string): string {
  return join(stateFolder, 'sessions');
}
