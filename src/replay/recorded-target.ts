import { resolve } from 'node:path';
import { ObjectView } from '../json/object-view.ts';
import { joinCommandLine } from '../model/command-line.ts';
import { ReelError } from '../model/errors.ts';
import type { SessionHeader } from '../model/session.ts';
import type { QuestionedTarget } from '../present/replay-question.ts';
import type { ReplayTarget } from './replay-options.ts';
import { redactedIn } from './replay-plan.ts';

/** The environment in which a recorded server would be started. */
export interface TargetDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the session runs in. For a recording it is unknown, so the user's current folder is used. */
  readonly folder: string;
}

/** Systems start no program with more. */
const MAX_COMMAND = 1 << 21;

/** The command or URL of a session's server. Throws a usage error if the recording does not contain it. */
export function recordedTarget(header: SessionHeader, deps: TargetDeps): ReplayTarget {
  const { transport, command, url } = header;
  if (transport === 'sse' || transport === 'streamable-http') {
    const address = url ?? command[0] ?? '';
    refuseRedacted(address, 'address');
    if (!URL.canParse(address)) throw untold();
    return { transport, url: new URL(address), headers: [] };
  }
  if (transport !== 'stdio' || !command[0]) throw untold();
  const line = joinCommandLine(command);
  if (line.length > MAX_COMMAND) {
    throw new ReelError('usage', `The recorded server command has ${line.length} characters: too long to check.`, {
      hint: 'Use mcpreel replay with the server command after --.',
    });
  }
  refuseRedacted(line, 'command');
  const sent = ObjectView.of(header.keepsakes?.trace ?? '{}');
  const cwd = resolve(deps.folder, sent?.string('cwd') ?? '');
  return { transport, command, cwd, env: variables(sent?.value('env'), deps) };
}

/** The parts of a target that the user must see before it is contacted. */
export function questionedTarget(target: ReplayTarget): QuestionedTarget {
  if (target.transport !== 'stdio') return { url: target.url.href };
  return { command: target.command, folder: target.cwd ?? '', variables: Object.keys(target.env ?? {}) };
}

/** A recording contains the names of the server's environment variables, never their values. */
function variables(names: unknown, { env }: TargetDeps): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of Array.isArray(names) ? names.map(String) : []) {
    const value = env[name];
    if (value === undefined) {
      throw new ReelError('usage', `The server needs ${name}, whose value was not recorded.`, {
        hint: 'Set it and restart mcpreel.',
      });
    }
    found[name] = value;
  }
  return found;
}

function refuseRedacted(text: string, what: string): void {
  const hidden = redactedIn(text);
  if (hidden === undefined) return;
  throw new ReelError('usage', `The server's ${what} contains ${hidden}, and the redacted value is unknown.`, {
    hint: 'Use mcpreel replay with the server command after --.',
  });
}

function untold(): ReelError {
  return new ReelError('usage', 'The recording has no server command or URL.', {
    hint: 'Use mcpreel replay with the server command after --.',
  });
}
