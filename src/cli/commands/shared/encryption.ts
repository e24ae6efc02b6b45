import { Option } from 'commander';
import type { Encryption } from '../../../files/age-encrypted.ts';
import type { ResultTerminal } from '../../context.ts';
import { usage } from '../../flags/flag-values.ts';
import { gather } from '../../flags/repeated.ts';
import { isStandardOutput } from './deliver.ts';

/** The flags of a command that can encrypt its output. */
export interface EncryptionFlags {
  readonly encryptTo?: readonly string[];
  readonly output?: string;
}

export function encryptionOption(): Option {
  return new Option('--encrypt-to <recipient>', 'encrypt with age for this public key (repeatable)').argParser(gather);
}

/** The encryption for the output, if requested. */
export async function encryptionFrom(
  { encryptTo = [], output: target }: EncryptionFlags,
  terminal: ResultTerminal,
): Promise<Encryption | undefined> {
  if (encryptTo.length === 0) return undefined;
  const { encryptionFor } = await import('../../../files/age-encrypted.ts');
  const encryption = await encryptionFor(encryptTo);
  if (isStandardOutput(target) && terminal.isTerminal) {
    throw usage('Encrypted output cannot be shown on a terminal', 'Write it to a file with -o.');
  }
  return encryption;
}
