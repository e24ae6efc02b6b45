import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { armor, Encrypter, generateHybridIdentity, generateIdentity, identityToRecipient } from 'age-encryption';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AGE_ARMORED, AGE_KEY_FILE, AGE_PLAIN, AGE_RECIPIENT } from '../../test/support/age-sample.ts';
import { unless, without } from '../../test/support/unless.ts';
import { decryptedSpool, isEncrypted } from './age-decrypted.ts';
import { encryptionFor } from './age-encrypted.ts';
import { type FileSource, openFileSource } from './file-source.ts';

const CHUNK = 1 << 16;

/** A folder with files for one test. */
function placeWith(files: Readonly<Record<string, string | Uint8Array>>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-age-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);
  for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content);
  return path;
}

async function encrypt(content: Uint8Array, recipients: readonly string[] = [AGE_RECIPIENT]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await encryptionFor(recipients))([content])) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function bytesOf(source: FileSource, start = 0, end = source.size): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.read(start, end)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Opens an encrypted file with the sample's key. */
async function opened(file: string | Uint8Array, keys: string = AGE_KEY_FILE): Promise<FileSource> {
  const path = placeWith({ 'x.age': file, 'key.txt': keys });
  const { source, remove } = await decryptedSpool(await openFileSource(path('x.age')), [path('key.txt')]);
  onTestFinished(remove);
  return source;
}

/** Bytes that differ by position. */
function content(length: number): Buffer {
  return Buffer.from(
    Uint32Array.from({ length: Math.ceil(length / 4) }, (_, n) => n * 2_654_435_761).buffer,
    0,
    length,
  );
}

const sizes = [0, 1, 47, 48, 100, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 5 * CHUNK + 17];

describe('decryptedSpool', () => {
  it('reads the plaintext of a file that age encrypted', async () => {
    for (const file of [
      AGE_ARMORED,
      `\n  ${AGE_ARMORED}\n\n`,
      AGE_ARMORED.replaceAll('\n', '\r\n'),
      armor.decode(AGE_ARMORED),
    ]) {
      expect((await bytesOf(await opened(file))).toString()).toBe(AGE_PLAIN);
    }
  });

  it.each(sizes)('reads the plaintext in whole and in part, armored or not: %i bytes', async (size) => {
    const plain = content(size);
    const sealed = await encrypt(plain);
    for (const file of [sealed, armor.encode(sealed)]) {
      const source = await opened(file);
      expect(source.size).toBe(size);
      expect((await bytesOf(source)).equals(plain)).toBe(true);
      for (const [start, end] of [
        [size - 1, size],
        [CHUNK - 2, CHUNK + 2],
        [CHUNK, 2 * CHUNK],
        [1, size + 5],
        [size, size + 1],
      ] as const) {
        const from = Math.max(0, start);
        expect((await bytesOf(source, from, end)).equals(plain.subarray(from, end))).toBe(true);
      }
    }
  });

  it('recognizes an encrypted file by its first bytes', async () => {
    const path = placeWith({ a: AGE_ARMORED, b: armor.decode(AGE_ARMORED), c: AGE_PLAIN, d: '' });
    const known = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => isEncrypted(await openFileSource(path(name)))),
    );
    expect(known).toEqual([true, true, false, false]);
  });

  it('decrypts with the key of any recipient, classic or post-quantum', async () => {
    const keys = [await generateIdentity(), await generateHybridIdentity()];
    for (const key of keys) {
      const sealed = await encrypt(
        content(10),
        [AGE_RECIPIENT, await identityToRecipient(key)].slice(key.includes('PQ') ? 1 : 0),
      );
      expect((await bytesOf(await opened(sealed, `# mine\n\n${key}\r\n`))).equals(content(10))).toBe(true);
    }
  });

  it('rejects a truncated or modified file', async () => {
    const plain = content(2 * CHUNK + 100);
    const sealed = await encrypt(plain);
    const cut = [1, 99, 116, 117, 200, CHUNK + 132, 2 * CHUNK].map((less) => sealed.subarray(0, sealed.length - less));
    const headerOnly = sealed.subarray(0, sealed.indexOf('\n---') + 2);
    for (const file of [
      ...cut,
      headerOnly,
      sealed.subarray(0, 30),
      AGE_ARMORED.slice(0, 200),
      AGE_ARMORED.replace('YWdlLWVu', 'YWdlLWVv'),
    ]) {
      const error = await opened(file).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'file-unreadable', message: expect.stringMatching(/x\.age is damaged: /) });
    }
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(600) ^ 1, 600);
    await expect(opened(changed)).rejects.toMatchObject({
      message: expect.stringContaining('is damaged: it was changed'),
    });
  });

  it('closes a file that it rejects', async () => {
    const large = armor.encode(await encrypt(content(20 * CHUNK)));
    const path = placeWith({
      'changed.age': AGE_ARMORED.replace('YWdlLWVu', 'YWdlLWVv'),
      'large.age': large,
      'key.txt': AGE_KEY_FILE,
    });
    let reading = 0;
    const counted = (source: FileSource): FileSource => ({
      ...source,
      async *read(start, end) {
        reading++;
        try {
          yield* source.read(start, end);
        } finally {
          reading--;
        }
      },
    });
    const other = placeWith({ 'key.txt': await generateIdentity() });
    for (const [name, key] of [
      ['changed.age', path('key.txt')],
      ['large.age', other('key.txt')],
    ] as const) {
      const source = counted(await openFileSource(path(name)));
      await expect(decryptedSpool(source, [key])).rejects.toMatchObject({ code: 'file-unreadable' });
      expect(reading).toBe(0);
    }
  });

  it('rejects a missing, wrong or invalid key and suggests what to do', async () => {
    const path = placeWith({
      'x.age': AGE_ARMORED,
      'other.txt': await generateIdentity(),
      'none.txt': 'ssh-ed25519 AAAA',
      'broken.txt': 'AGE-SECRET-KEY-1QQQQQQ',
      'locked.txt': AGE_ARMORED,
    });
    const source = await openFileSource(path('x.age'));
    const errorOf = (...names: string[]): Promise<unknown> =>
      decryptedSpool(source, names.map(path)).catch((error: unknown) => error);
    expect(await errorOf()).toMatchObject({
      message: `${path('x.age')} is encrypted`,
      hint: expect.stringContaining('--identity'),
    });
    expect(await errorOf('other.txt')).toMatchObject({
      message: `No key in ${path('other.txt')} decrypts ${path('x.age')}`,
    });
    expect(await errorOf('none.txt')).toMatchObject({ message: `No age key in ${path('none.txt')}` });
    expect(await errorOf('broken.txt')).toMatchObject({ message: `A key in ${path('broken.txt')} is not valid` });
    expect(await errorOf('locked.txt')).toMatchObject({ message: `${path('locked.txt')} is itself encrypted` });
    const encrypter = new Encrypter();
    encrypter.setPassphrase('x');
    encrypter.setScryptWorkFactor(2);
    await expect(opened(await encrypter.encrypt('x'))).rejects.toMatchObject({
      message: expect.stringMatching(/x\.age is encrypted with a passphrase$/),
    });
    expect(await errorOf('missing.txt')).toMatchObject({
      message: `Cannot read ${path('missing.txt')}: no such file or folder`,
    });
  });
});

describe('encryptionFor', () => {
  it.each(['age1qqq', 'ssh-ed25519 AAAA', '', 'bob'])('rejects an invalid recipient: %j', async (given) => {
    await expect(encryptionFor([given])).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('age1'),
    });
  });

  it('never prints a private key that was given as a recipient', async () => {
    const key = await generateIdentity();
    const error = (await encryptionFor([key]).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toBe('--encrypt-to … is not an age public key');
  });

  it('stops reading its input when the consumer stops', async () => {
    let ended = false;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield content(CHUNK);
      } finally {
        ended = true;
      }
    }
    for await (const _ of (await encryptionFor([AGE_RECIPIENT]))(pieces())) break;
    await expect.poll(() => ended).toBe(true);
  });
});

describe('interoperability with age', unless(without('age')), () => {
  it('age decrypts files from mcpreel, and mcpreel decrypts files from age', async () => {
    const path = placeWith({ plain: content(3 * CHUNK + 5), 'key.txt': AGE_KEY_FILE });
    writeFileSync(path('ours.age'), await encrypt(content(3 * CHUNK + 5)));
    const theirs = execFileSync('age', ['-d', '-i', path('key.txt'), path('ours.age')], { maxBuffer: 1 << 24 });
    expect(theirs.equals(content(3 * CHUNK + 5))).toBe(true);
    for (const flags of [[], ['-a']]) {
      execFileSync('age', [...flags, '-r', AGE_RECIPIENT, '-o', path('theirs.age'), path('plain')]);
      expect((await bytesOf(await opened(readFileSync(path('theirs.age'))))).equals(content(3 * CHUNK + 5))).toBe(true);
    }
  });
});
