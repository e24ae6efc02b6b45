import { applyWrap } from '../../../install/apply-change.ts';
import { planWrap, type WrapChange } from '../../../install/plan-change.ts';
import { recorderFor, wordsBefore } from '../../../install/wrapping.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { usage } from '../../flags/flag-values.ts';
import { bakedFlags } from './baked-flags.ts';
import { type ConfigTask, changeConfiguration } from './change-configuration.ts';
import type { InstallFlags } from './configuration.ts';

/** Puts the recorder, with these flags of its own, before the servers that clients start. */
export async function* runInstall(
  words: readonly string[],
  flags: InstallFlags,
  context: CommandEnvironment,
): CommandStep<number> {
  const { programFolder, node, platform, env, cwd } = context;
  const baked = await bakedFlags(words, cwd());
  const recorder = recorderFor({ programFolder, node: node.path, version: __MCPREEL_VERSION__, platform });
  const task: ConfigTask<WrapChange> = {
    verb: 'wrap',
    state: 'plain',
    elsewhere: false,
    check: ({ length }) => {
      if (length < 2 || !baked.includes('--session-file')) return;
      throw usage(`${length} servers would write one session file`, 'Choose with --server.');
    },
    plan: ({ file }, entries) => planWrap(file, entries, (name) => wordsBefore(recorder, name, baked)),
    apply: async (change, _file, ledger) => {
      const backup = await applyWrap(change, ledger);
      return [`${change.file.client.title}: changed ${change.file.path}, the file as it was is ${backup}`];
    },
    finish: async (changed) => {
      if (changed === 0) return [];
      const home = 'MCPREEL_HOME is set here; where a client does not set it, recordings go to the usual state folder.';
      return [
        'Restart the clients to have these servers recorded; mcpreel uninstall undoes it.',
        ...(env.MCPREEL_HOME ? [home] : []),
      ];
    },
  };
  return yield* changeConfiguration(task, flags, context);
}
