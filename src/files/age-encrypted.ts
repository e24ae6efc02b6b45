import { ReadableStream } from 'node:stream/web';
import { ReelError } from '../model/errors.ts';
import { gatherBytes } from './gather-bytes.ts';
import type { FilePieces } from './replace-file.ts';

/** Encrypts the pieces of a file as a stream. */
export type Encryption = (pieces: FilePieces) => AsyncIterable<Uint8Array>;

/** Encrypts with age for each of these recipients. An invalid recipient is a usage error. */
export async function encryptionFor(recipients: readonly string[]): Promise<Encryption> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw notARecipient(recipient, error);
    }
  }
  return async function* (pieces) {
    // At runtime, the global class is the one from node:stream/web. Only the type declarations differ.
    const plain = ReadableStream.from(gatherBytes(pieces)) as unknown as globalThis.ReadableStream<Uint8Array>;
    const sealed = await encrypter.encrypt(plain);
    const reader = sealed.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      // If the consumer stops early, stop reading the pieces too.
      await reader.cancel().catch(() => undefined);
    }
  };
}

/** How much of a wrong value an error quotes. */
const MAX_SHOWN = 80;

function notARecipient(given: string, cause: unknown): ReelError {
  // Do not print a private key that was passed by mistake.
  const isSecret = /AGE-SECRET-KEY|PRIVATE KEY/i.test(given);
  return new ReelError('usage', `--encrypt-to ${isSecret ? '…' : given.slice(0, MAX_SHOWN)} is not an age public key`, {
    hint: 'Use the public key that age-keygen prints: age1….',
    cause,
  });
}
