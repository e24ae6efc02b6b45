import { resolve } from 'node:path';
import { applyWrap } from '../../../install/apply-change.ts';
import { planWrap, type WrapChange } from '../../../install/plan-change.ts';
import { recorderFor, wordsBefore } from '../../../install/wrapping.ts';
import { compileRules } from '../../../redact/redactor-for.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { CAPTURE_FLAGS } from '../../flags/capture-flags.ts';
import { usage } from '../../flags/flag-values.ts';
import { loadInterception } from '../../flags/interception-options.ts';
import { parseCaptureFlags } from '../../flags/parse-capture-flags.ts';
import { wrappedOptions } from '../../flags/wrapped-options.ts';

import { type ConfigTask, changeConfiguration } from './change-configuration.ts';
import type { InstallFlags } from './configuration.ts';

/** Wraps the servers in the clients' configuration with `mcpreel record` and these flags. */
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
      throw usage(`${length} servers would write to the same session file`, 'Choose one with --server.');
    },
    plan: ({ file }, entries) => planWrap(file, entries, (name) => wordsBefore(recorder, name, baked)),
    apply: async (change, _file, ledger) => {
      const backup = await applyWrap(change, ledger);
      return [`${change.file.client.title}: changed ${change.file.path}, backup: ${backup}`];
    },
    finish: async (changed) => {
      if (changed === 0) return [];
      const home = 'MCPREEL_HOME is set in this shell. Clients that do not set it record to the default state folder.';
      return [
        'Restart the clients to record these servers. Undo: mcpreel uninstall',
        ...(env.MCPREEL_HOME ? [home] : []),
      ];
    },
  };
  return yield* changeConfiguration(task, flags, context);
}

/** Flags that determine which server is recorded. In a client's configuration the entry does that. */
const OF_THE_ENTRY =
  /^(transport|target-.*|listen-.*|header|ca|insecure|keep-host|no-oauth-rewrite|allow-remote|token|split)$/;
const A_PATH = /^(file|folder)$/;
const HINT = 'Options after -- are those of mcpreel record.';

/**
 * The flags of `record` in a form fit for a configuration: validated, and with absolute paths, because clients start
 * servers in any folder.
 */
async function bakedFlags(words: readonly string[], cwd: string): Promise<string[]> {
  const baked = parseCaptureFlags(words, HINT).given.flatMap(({ name, value }) => {
    if (OF_THE_ENTRY.test(name)) throw usage(`--${name} cannot be set here: it is different for each server`, HINT);
    if (value === undefined) return [`--${name}`];
    const isPath = A_PATH.test(CAPTURE_FLAGS.find((flag) => flag.name === name)?.value ?? '');
    const text = isPath ? resolve(cwd, value) : value;
    return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
  });
  await tryOut(baked);
  return baked;
}

/** Loads filters, rules and patterns now, so that an error shows here and not when a client starts its server. */
async function tryOut(baked: readonly string[]): Promise<void> {
  const { interception, options } = wrappedOptions([...baked, '--', 'server']);
  await loadInterception(interception);
  if (options.redaction !== undefined) await compileRules(options.redaction);
}
