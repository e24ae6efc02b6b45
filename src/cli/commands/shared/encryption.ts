import { Option } from 'commander';
import type { Encryption } from '../../../files/age-encrypted.ts';
import type { ResultTerminal } from '../../context.ts';
import { usage } from '../../flags/flag-values.ts';
import { gather } from '../../flags/repeated.ts';

/** The flags of a command that can encrypt what it writes. */
export interface EncryptionFlags {
  readonly encryptTo?: readonly string[];
  readonly output?: string;
}

export function encryptionOption(): Option {
  return new Option('--encrypt-to <recipient>', 'encrypt with age for this public key (repeat)').argParser(gather);
}

/** How the result is to be encrypted, if at all. */
export async function encryptionFrom(
  { encryptTo = [], output: target }: EncryptionFlags,
  terminal: ResultTerminal,
): Promise<Encryption | undefined> {
  if (encryptTo.length === 0) return undefined;
  const { encryptionFor } = await import('../../../files/age-encrypted.ts');
  const encryption = await encryptionFor(encryptTo);
  if (target === undefined && terminal.isTerminal) {
    throw usage('What is encrypted is not for a terminal', 'Write it to a file with -o.');
  }
  return encryption;
}
