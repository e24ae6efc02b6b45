import { resolve } from 'node:path';
import { ReelError } from '../../model/errors.ts';
import { CAPTURE_FLAGS } from '../capture-flags.ts';
import { captureOptionsFrom } from '../capture-options.ts';
import { parseCaptureFlags } from '../parse-capture-flags.ts';

/** What says which server is recorded; in a client's configuration the entry says it. */
const OF_THE_ENTRY =
  /^(transport|target-.*|listen-.*|header|ca|insecure|keep-host|no-oauth-rewrite|allow-remote|token|split)$/;
const A_PATH = /^(file|folder)$/;
const HINT = 'After -- come flags of mcpreel record; see its --help.';

/**
 * The recorder's flags as they can stand in a configuration: known, with values that it takes, and with absolute paths,
 * because clients start servers anywhere.
 */
export function bakedFlags(words: readonly string[], cwd: string): string[] {
  const { values, given } = parseCaptureFlags(words, HINT);
  const baked = given.flatMap(({ name, value }) => {
    if (OF_THE_ENTRY.test(name)) throw usage(`--${name} is for each server’s own entry to say`);
    if (value === undefined) return [`--${name}`];
    const isPath = A_PATH.test(CAPTURE_FLAGS.find((flag) => flag.name === name)?.value ?? '');
    const text = isPath ? resolve(cwd, value) : value;
    return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
  });
  // Better to hear of a wrong value now than when a client cannot start its server.
  captureOptionsFrom(values, ['server']);
  return baked;
}

function usage(message: string): ReelError {
  return new ReelError('usage', message, { hint: HINT });
}
