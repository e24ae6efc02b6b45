import type { InstallPlace } from '../../../install/client.ts';
import { clients } from '../../../install/clients.ts';
import { problemOf } from '../../../install/config-file.ts';
import type { InstallLedger } from '../../../install/ledger.ts';
import { nameOf } from '../../../install/server-entry.ts';
import { type InstallSurvey, survey } from '../../../install/survey.ts';
import { ReelError } from '../../../model/errors.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { CommandStep, OutputPart } from '../../command-run.ts';
import type { CommandEnvironment, ProcessFacts } from '../../context.ts';
import { unknownValue } from '../../flags/flag-values.ts';

/** The flags of `install` and `uninstall`. */
export interface InstallFlags {
  readonly client?: readonly string[];
  readonly server?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Reads the configuration that the flags select; throws if they select nothing. */
export async function surveyFor(
  flags: InstallFlags,
  ledger: InstallLedger,
  elsewhere: boolean,
  context: CommandEnvironment,
): Promise<InstallSurvey> {
  const known = clients.map(({ id }) => id);
  for (const id of flags.client ?? []) {
    if (known.includes(id)) continue;
    throw unknownValue('--client', id, known);
  }
  const servers = flags.server ?? [];
  const found = await survey(placeOf(context), ledger, { clients: flags.client ?? [], servers, elsewhere });
  for (const name of servers) {
    const isThere = found.files.some(({ entries }) => entries.some(({ entry }) => nameOf(entry) === name));
    if (isThere) continue;
    throw new ReelError('file-not-found', `No client has a server named ${JSON.stringify(name)}`, {
      hint: 'List them: mcpreel install --dry-run',
    });
  }
  return found;
}

/** Reports the files that could not be changed. */
export class ConfigRefusals {
  readonly reported: { readonly path: string; readonly what: string }[] = [];

  add(path: string, what: string): OutputPart {
    this.reported.push({ path, what });
    return {
      note: oneLine(`Error: ${path} was not changed: ${what}. To leave it out, name other clients with --client`),
    };
  }

  /** Runs work that may fail for one file only. */
  async *guard<T>(path: string, work: () => T | Promise<T>): CommandStep<T | undefined> {
    try {
      return await work();
    } catch (error) {
      yield this.add(path, problemOf(error));
      return undefined;
    }
  }
}

/** Where this user's MCP clients store their configuration. */
export function placeOf({ platform, homeFolder, cwd, env }: ProcessFacts): InstallPlace {
  return { platform, home: homeFolder, cwd: cwd(), env };
}
