import { resolve } from 'node:path';
import { compileRules } from '../../../redact/redactor-for.ts';
import { CAPTURE_FLAGS } from '../../flags/capture-flags.ts';
import { usage } from '../../flags/flag-values.ts';
import { loadInterception } from '../../flags/interception-options.ts';
import { parseCaptureFlags } from '../../flags/parse-capture-flags.ts';
import { wrappedOptions } from '../../flags/wrapped-options.ts';

/** What says which server is recorded; in a client's configuration the entry says it. */
const OF_THE_ENTRY =
  /^(transport|target-.*|listen-.*|header|ca|insecure|keep-host|no-oauth-rewrite|allow-remote|token|split)$/;
const A_PATH = /^(file|folder)$/;
const HINT = 'After -- come flags of mcpreel record; see its --help.';

/**
 * The recorder's flags as they can stand in a configuration: known, with values that it takes, and with absolute paths,
 * because clients start servers anywhere.
 */
export async function bakedFlags(words: readonly string[], cwd: string): Promise<string[]> {
  const baked = parseCaptureFlags(words, HINT).given.flatMap(({ name, value }) => {
    if (OF_THE_ENTRY.test(name)) throw usage(`--${name} is for each server’s own entry to say`, HINT);
    if (value === undefined) return [`--${name}`];
    const isPath = A_PATH.test(CAPTURE_FLAGS.find((flag) => flag.name === name)?.value ?? '');
    const text = isPath ? resolve(cwd, value) : value;
    return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
  });
  await tryOut(baked);
  return baked;
}

/** Better to hear of a filter, a rule or a pattern that cannot be used now than when a client cannot start its server. */
async function tryOut(baked: readonly string[]): Promise<void> {
  const { interception, options } = wrappedOptions([...baked, '--', 'server']);
  await loadInterception(interception);
  if (options.redaction !== undefined) await compileRules(options.redaction);
}
