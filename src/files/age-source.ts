import { createDecipheriv, hkdfSync } from 'node:crypto';
import { ReelError } from '../model/errors.ts';
import { dearmored, isArmored } from './age-armor.ts';
import { readIdentities } from './age-identities.ts';
import { bytesIn, type FileSource } from './file-source.ts';

const VERSION_LINE = 'age-encryption.org/v1\n';
const HEAD_BYTES = 256;
const MAX_HEADER = 1 << 20;

/** The payload is encrypted in chunks of this size, each of them separately. */
const CHUNK_BYTES = 1 << 16;
const TAG_BYTES = 16;
const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES;
const NONCE_BYTES = 16;

/** Returns whether a file is encrypted with age, armored or not. */
export async function isEncrypted(source: FileSource): Promise<boolean> {
  const head = (await bytesIn(source, 0, HEAD_BYTES)).toString('latin1');
  return head.startsWith(VERSION_LINE) || isArmored(head);
}

/**
 * Decrypts an age file for random access. Plaintext is never written to disk: each chunk is decrypted when it is read.
 * mcpreel verifies that the file is complete before it returns the first byte.
 */
export async function decryptedSource(encrypted: FileSource, identityFiles: readonly string[]): Promise<FileSource> {
  const { name } = encrypted;
  const isPlain = (await bytesIn(encrypted, 0, VERSION_LINE.length)).toString('latin1') === VERSION_LINE;
  const source = isPlain ? encrypted : await dearmored(encrypted);
  const header = await headerOf(source);
  const fileKey = await unlock(name, header, identityFiles);
  const start = header.length + NONCE_BYTES;
  const nonce = await bytesIn(source, header.length, start);
  const key = Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32));
  const sealedSize = source.size - start;
  const chunks = Math.ceil(sealedSize / SEALED_BYTES);
  if (chunks < 1) throw damaged(name, 'it was cut off');
  const size = sealedSize - chunks * TAG_BYTES;
  const seal: ChunkSeal = { name, key, chunks };
  const sealedFrom = (index: number, until: number): AsyncGenerator<Buffer> =>
    sealedChunks(source, start + index * SEALED_BYTES, start + until * SEALED_BYTES);
  // Only the last chunk is marked as last. If it decrypts, the file is complete.
  for await (const last of sealedFrom(chunks - 1, chunks)) openChunk(seal, last, chunks - 1);
  return {
    name,
    size,
    async *read(from, to) {
      const until = Math.min(to, size);
      if (from >= until) return;
      let index = Math.floor(from / CHUNK_BYTES);
      for await (const sealed of sealedFrom(index, Math.ceil(until / CHUNK_BYTES))) {
        const place = index * CHUNK_BYTES;
        yield openChunk(seal, sealed, index).subarray(Math.max(0, from - place), until - place);
        index++;
      }
    },
  };
}

/** The file's name, key and chunk count, which decrypting a chunk requires. */
interface ChunkSeal {
  readonly name: string;
  readonly key: Buffer;
  readonly chunks: number;
}

function openChunk({ name, key, chunks }: ChunkSeal, sealed: Buffer, index: number): Buffer {
  // Eleven bytes are the chunk's index. The twelfth marks the last chunk.
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = index === chunks - 1 ? 1 : 0;
  try {
    const cipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final()]);
  } catch (error) {
    throw damaged(name, 'it was changed or cut off', error);
  }
}

/** Splits the bytes of a source into encrypted chunks. The last chunk may be shorter. */
async function* sealedChunks(source: FileSource, start: number, end: number): AsyncGenerator<Buffer> {
  let pending = Buffer.alloc(0);
  for await (const bytes of source.read(start, Math.min(end, source.size))) {
    pending = Buffer.concat([pending, bytes]);
    for (; pending.length >= SEALED_BYTES; pending = pending.subarray(SEALED_BYTES)) {
      yield pending.subarray(0, SEALED_BYTES);
    }
  }
  if (pending.length > 0) yield pending;
}

/** Reads the header before the payload, which names the recipients. */
async function headerOf(source: FileSource): Promise<Buffer> {
  const head = await bytesIn(source, 0, MAX_HEADER);
  const mac = head.indexOf('\n--- ');
  const end = mac < 0 ? -1 : head.indexOf('\n', mac + 1);
  if (end < 0) throw damaged(source.name, 'it has no whole header');
  return head.subarray(0, end + 1);
}

/** Decrypts the file key with one of the identities. */
async function unlock(name: string, header: Buffer, identityFiles: readonly string[]): Promise<Uint8Array> {
  if (header.includes('\n-> scrypt ')) {
    throw new ReelError('file-unreadable', `${name} is encrypted with a passphrase`, {
      hint: `Decrypt it first: age -d ${name} | mcpreel inspect -`,
    });
  }
  if (identityFiles.length === 0) {
    throw new ReelError('file-unreadable', `${name} is encrypted`, {
      hint: 'Name the file of your key: --identity FILE.',
    });
  }
  const identities = await readIdentities(identityFiles);
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return await decrypter.decryptHeader(header);
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes('no identity matched')) throw damaged(name, 'its header is not valid', error);
    throw new ReelError('file-unreadable', `No key in ${identityFiles.join(', ')} opens ${name}`, {
      hint: 'It was encrypted for others.',
      cause: error,
    });
  }
}

function damaged(name: string, how: string, cause?: unknown): ReelError {
  return new ReelError('file-unreadable', `${name} is damaged: ${how}`, { cause });
}
