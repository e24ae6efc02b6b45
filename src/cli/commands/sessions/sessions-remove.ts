import { Command } from 'commander';
import { removeSession } from '../../../catalog/stored-sessions.ts';
import { ReelError } from '../../../model/errors.ts';
import { countOf, formatSize } from '../../../present/figures.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { type KnownSession, knownSession } from './sessions-lookup.ts';

export function removeCommand(context: CommandEnvironment): Command {
  return new Command('rm')
    .description('delete recorded sessions')
    .argument('<id...>', 'first four or more characters of the session ids')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(['mcpreel sessions rm 385a99db', 'mcpreel sessions rm 385a99db c777214b --json']))
    .action((ids: string[], { json }: { json?: boolean }) => context.execute(runRemove(ids, json === true, context)));
}

/** Looks up all sessions before it removes the first one. */
async function* runRemove(ids: readonly string[], json: boolean, context: CommandEnvironment): CommandStep {
  const sessions = new Map<string, KnownSession>();
  for (const id of ids) {
    const session = await knownSession(id, context);
    if (session.live !== undefined) {
      throw new ReelError('session-live', `Session ${id} is still running (process ${session.live.pid})`, {
        hint: 'Stop it first.',
      });
    }
    sessions.set(session.files[0]?.path ?? id, session);
  }
  yield* removeAll([...sessions.values()], json);
}

/** Removes sessions and reports how much space that freed. */
export async function* removeAll(sessions: readonly KnownSession[], json: boolean): CommandStep {
  for (const session of sessions) await removeSession(session);
  const bytes = bytesOf(sessions);
  const text = `Deleted ${countOf(sessions.length, 'session')}, ${formatSize(bytes)}`;
  yield `${json ? JSON.stringify({ removed: sessions.map(({ header }) => header.id), bytes }) : text}\n`;
}

export function bytesOf(sessions: readonly KnownSession[]): number {
  return sessions.reduce((sum, session) => sum + session.bytes, 0);
}
