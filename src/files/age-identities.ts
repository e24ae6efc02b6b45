import { readFile } from 'node:fs/promises';
import { ReelError } from '../model/errors.ts';
import { cannotRead } from './reason.ts';

/** Identity files are small. A larger file was passed by mistake. */
const LARGEST_FILE = 1 << 20;

const KEY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/;

/**
 * Reads the keys from files as `age-keygen` writes them: one key per line, with comments. Errors never contain a key.
 */
export async function readIdentities(paths: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const path of paths) keys.push(...(await readKeys(path)));
  const { Decrypter } = await import('age-encryption');
  for (const key of keys) {
    try {
      new Decrypter().addIdentity(key);
    } catch {
      throw new ReelError('file-unreadable', `A key in ${paths.join(', ')} is not valid`, {
        hint: 'Copy the whole line that age-keygen wrote.',
      });
    }
  }
  return keys;
}

async function readKeys(path: string): Promise<string[]> {
  const text = await readText(path);
  const keys = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => KEY.test(line));
  if (keys.length > 0) return keys;
  const isLocked = /^\s*(?:age-encryption\.org\/v1|-----BEGIN AGE ENCRYPTED FILE-----)/.test(text);
  if (isLocked) {
    throw new ReelError('file-unreadable', `${path} is encrypted itself`, { hint: 'Decrypt it with age first.' });
  }
  throw new ReelError('file-unreadable', `There is no age key in ${path}`, {
    hint: 'A file of age-keygen has a line that begins with AGE-SECRET-KEY-1.',
  });
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    return bytes.length > LARGEST_FILE ? '' : bytes.toString();
  } catch (error) {
    throw cannotRead(path, error);
  }
}
