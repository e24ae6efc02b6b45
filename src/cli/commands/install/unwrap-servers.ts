import { applyUnwrap } from '../../../install/apply-change.ts';
import { planUnwrap, type UnwrapChange } from '../../../install/plan-change.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { type ConfigTask, changeConfiguration } from './change-configuration.ts';
import type { InstallFlags } from './configuration.ts';

/** Removes the wrapping that `install` added to the clients' configuration, including projects in other folders. */
export function runUninstall(flags: InstallFlags, context: CommandEnvironment): CommandStep<number> {
  const task: ConfigTask<UnwrapChange> = {
    verb: 'unwrap',
    state: 'wrapped',
    elsewhere: true,
    plan: ({ file, record }, entries) => planUnwrap(file, entries, record?.entries ?? []),
    apply: async (change, { file, record }, ledger) => {
      const backup = await applyUnwrap(change, record, ledger);
      const inexact = change.unwrapped.filter(({ exact }) => !exact).map(({ path }) => path.at(-1));
      return [
        `${file.client.title}: changed ${file.path}${backup === undefined ? '' : `, backup: ${backup}`}`,
        ...(inexact.length === 0
          ? []
          : [
              `Edited since mcpreel wrapped it, so the command was restored but not the exact formatting: ${inexact.join(', ')}`,
            ]),
      ];
    },
    finish: async (_changed, { lost }, ledger) => {
      for (const record of lost) await ledger.write({ ...record, entries: [] });
      return lost.map(({ path }) => `${path} no longer exists.`);
    },
  };
  return changeConfiguration(task, flags, context);
}
