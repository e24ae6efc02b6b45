import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AGE_ARMORED, AGE_KEY_FILE, AGE_PLAIN } from '../../test/support/age-sample.ts';
import { Place } from '../../test/support/place.ts';
import { openSource } from '../catalog/open-session.ts';
import type { FileSource } from './file-source.ts';
import { type Spool, spoolStream } from './spool.ts';

/** A folder for temporary files, and the bytes of all files in it. */
function temporaryFolder(): { bytes(): string } {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-spool-'));
  // Windows uses TEMP.
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    bytes: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
        .join('\n'),
  };
}

async function* streamOf(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* pieces;
}

async function bytesOf(source: FileSource, start: number = 0, end: number = source.size): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.read(start, end)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function removing<T>({ source, remove }: Spool, work: (source: FileSource) => Promise<T>): Promise<T> {
  try {
    return await work(source);
  } finally {
    await remove();
  }
}

it('returns a stream in whole and from any position', async () => {
  const pieces = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array({ maxLength: 100 })));
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(200), fc.nat(200), async (given, start, length) => {
      const all = Buffer.concat(given.map((piece) => Buffer.from(piece)));
      await removing(await spoolStream(streamOf(...given), 'x'), async (source) => {
        expect([source.name, source.size]).toEqual(['x', all.length]);
        expect(await bytesOf(source)).toEqual(all);
        expect(await bytesOf(source, start, start + length)).toEqual(all.subarray(start, start + length));
      });
    }),
  );
});

it('returns data that takes several reads, repeatedly', async () => {
  const all = Buffer.alloc(700_001, 'what was said, ');
  await removing(await spoolStream(streamOf(all), 'x'), async (source) => {
    for (const start of [0, 1, 15, 16, 262_143, 262_145, 700_000]) {
      expect((await bytesOf(source, start, all.length)).equals(all.subarray(start))).toBe(true);
    }
  });
});

it('writes no plaintext to disk', async () => {
  const folder = temporaryFolder();
  await removing(await spoolStream(streamOf('what was said'), 'x'), async (source) => {
    expect(folder.bytes()).toHaveLength('what was said'.length);
    expect(folder.bytes()).not.toContain('said');
    expect(String(await bytesOf(source))).toBe('what was said');
  });
  expect(folder.bytes()).toBe('');
});

it('writes no decrypted plaintext to disk when it replaces invalid bytes', async () => {
  const place = new Place();
  place.write('x.age', AGE_ARMORED);
  place.write('key.txt', AGE_KEY_FILE);
  const folder = temporaryFolder();
  const identityFiles = [place.path('key.txt')];
  await removing(await openSource(place.path('x.age'), { lossy: true, identityFiles }), async (source) => {
    expect(String(await bytesOf(source))).toBe(AGE_PLAIN);
    expect(folder.bytes()).toHaveLength(AGE_PLAIN.length);
    expect(folder.bytes()).not.toContain('jsonrpc');
  });
});
