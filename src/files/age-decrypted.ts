import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { ReadableStream } from 'node:stream/web';
import { ReelError } from '../model/errors.ts';
import { shellLine } from '../model/shell-line.ts';
import { bytesIn, type FileSource } from './file-source.ts';
import { cannotRead } from './reason.ts';
import { type Spool, spoolStream } from './spool.ts';

const VERSION_LINE = 'age-encryption.org/v1\n';
const ARMOR_BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----';
const ARMOR_END = '-----END AGE ENCRYPTED FILE-----';

/** More than the first line and a passphrase's stanza need, armored or not. */
const HEAD_BYTES = 512;

/** Returns whether a file is encrypted with age, armored or not. */
export async function isEncrypted(source: FileSource): Promise<boolean> {
  const head = latin1(await bytesIn(source, 0, HEAD_BYTES));
  return head.startsWith(VERSION_LINE) || isArmored(head);
}

/**
 * Decrypts an age file into a temporary file that only this process can read. A file that was changed or cut off
 * anywhere is rejected before any of it is used.
 */
export async function decryptedSpool(encrypted: FileSource, identityFiles: readonly string[]): Promise<Spool> {
  const { name } = encrypted;
  const armored = isArmored(latin1(await bytesIn(encrypted, 0, HEAD_BYTES)));
  const sealed = (end: number): AsyncGenerator<Uint8Array> => {
    const bytes = encrypted.read(0, end);
    return armored ? dearmored(bytes, name) : bytes;
  };
  await assertNoPassphrase(sealed(HEAD_BYTES), name);
  const whole = sealed(encrypted.size);
  try {
    return await spoolStream(decrypted(await openStream(whole, name, identityFiles), name), name);
  } finally {
    // The library does not stop reading a file that it rejects.
    await whole.return(undefined);
  }
}

async function assertNoPassphrase(head: AsyncIterable<Uint8Array>, name: string): Promise<void> {
  for await (const bytes of head) {
    if (!latin1(bytes).startsWith(`${VERSION_LINE}-> scrypt `)) return;
    throw new ReelError('file-unreadable', `${name} is encrypted with a passphrase`, {
      hint: `Decrypt it first: ${shellLine(['age', '-d', name], platform())} | mcpreel inspect -`,
    });
  }
}

/** Reads the header and opens the payload with one of the identities. */
async function openStream(
  sealed: AsyncIterable<Uint8Array>,
  name: string,
  identityFiles: readonly string[],
): Promise<globalThis.ReadableStream<Uint8Array>> {
  if (identityFiles.length === 0) {
    throw new ReelError('file-unreadable', `${name} is encrypted`, {
      hint: 'Pass your key file: --identity FILE',
    });
  }
  const identities = await readIdentities(identityFiles);
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    // At runtime, the global class is the one from node:stream/web. Only the type declarations differ.
    return await decrypter.decrypt(ReadableStream.from(sealed) as unknown as globalThis.ReadableStream<Uint8Array>);
  } catch (error) {
    if (error instanceof ReelError) throw error;
    const { message } = error as Error;
    if (!message.includes('no identity matched')) throw damaged(name, 'its header is not valid', error);
    throw new ReelError('file-unreadable', `No key in ${identityFiles.join(', ')} decrypts ${name}`, {
      hint: 'It was encrypted for another key.',
      cause: error,
    });
  }
}

async function* decrypted(plain: globalThis.ReadableStream<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const reader = plain.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch (error) {
    throw error instanceof ReelError ? error : damaged(name, 'it was changed or truncated', error);
  } finally {
    // If the consumer stops early, stop reading the file too.
    await reader.cancel().catch(() => undefined);
  }
}

function isArmored(head: string): boolean {
  return head.trimStart().startsWith(ARMOR_BEGIN);
}

/** Decodes armor (PEM) as it is read. The library needs the whole file for that. */
async function* dearmored(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const [begin, end] = [ARMOR_BEGIN, ARMOR_END].map(withoutSpace) as [string, string];
  let pending = '';
  let isBegun = false;
  for await (const chunk of chunks) {
    pending += withoutSpace(latin1(chunk));
    if (!isBegun && pending.length < begin.length) continue;
    if (!isBegun) pending = pending.slice(begin.length);
    isBegun = true;
    const dash = pending.indexOf('-');
    const length = dash < 0 ? pending.length - (pending.length % 4) : dash;
    const encoded = pending.slice(0, length);
    const isEnd = dash < 0 || end.startsWith(pending.slice(dash));
    if (!isEnd || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) throw damaged(name, 'it is not a complete armored file');
    pending = pending.slice(length);
    if (encoded !== '') yield Buffer.from(encoded, 'base64');
  }
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '');
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function damaged(name: string, how: string, cause?: unknown): ReelError {
  return new ReelError('file-unreadable', `${name} is damaged: ${how}`, { cause });
}

/** Identity files are small. A larger file was passed by mistake. */
const LARGEST_FILE = 1 << 20;

const KEY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/;

/**
 * Reads the keys from files as `age-keygen` writes them: one key per line, with comments. Errors never contain a key.
 */
async function readIdentities(paths: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const path of paths) keys.push(...(await readKeys(path)));
  const { Decrypter } = await import('age-encryption');
  for (const key of keys) {
    try {
      new Decrypter().addIdentity(key);
    } catch {
      throw new ReelError('file-unreadable', `A key in ${paths.join(', ')} is not valid`, {
        hint: 'Copy the whole line from age-keygen.',
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
    throw new ReelError('file-unreadable', `${path} is itself encrypted`, { hint: 'Decrypt it with age first.' });
  }
  throw new ReelError('file-unreadable', `No age key in ${path}`, {
    hint: 'A file from age-keygen has a line that starts with AGE-SECRET-KEY-1.',
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
