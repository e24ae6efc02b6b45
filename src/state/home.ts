import { homedir } from 'node:os';
import { join } from 'node:path';

type HomeEnvironment = Readonly<Record<string, string | undefined>>;

/** Returns mcpreel's state folder: `MCPREEL_HOME`, or the platform's default folder for application state. */
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

/** Returns the folder that contains the trace files. */
export function sessionsFolder(stateFolder: string): string {
  return join(stateFolder, 'sessions');
}
