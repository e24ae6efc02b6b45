import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileSource, openFileSource } from './file-source.ts';
import { joinSources } from './joined-source.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function joined(...texts: string[]): Promise<FileSource> {
  const paths = texts.map((text, index) => {
    writeFileSync(join(folder, String(index)), text);
    return join(folder, String(index));
  });
  return joinSources(await Promise.all(paths.map(openFileSource)), 'all');
}

async function textOf({ read, size }: FileSource, start = 0, end: number = size): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of read(start, end)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('joinSources', () => {
  it('concatenates the files', async () => {
    expect(await textOf(await joined('a\nb\n', '', 'c\n'))).toBe('a\nb\nc\n');
  });

  it('inserts a newline after a file that ends mid-line, except after the last one', async () => {
    expect(await textOf(await joined('a\n{"cut', '{"b":1}\n', 'torn'))).toBe('a\n{"cut\n{"b":1}\ntorn');
  });

  it('reads any range of the joined files', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), fc.nat(30), fc.nat(30), async (texts, a, b) => {
        const source = await joined(...texts);
        const whole = texts
          .map((part, i) => (i < texts.length - 1 && part !== '' && !part.endsWith('\n') ? `${part}\n` : part))
          .join('');
        expect(source.size).toBe(whole.length);
        expect(await textOf(source, Math.min(a, b), Math.max(a, b))).toBe(whole.slice(Math.min(a, b), Math.max(a, b)));
      }),
    );
  });

  it('skips a file that is removed after opening', async () => {
    const source = await joined('a\n', 'b\n', 'c\n');
    rmSync(join(folder, '0'));
    expect(await textOf(source)).toBe('b\nc\n');
  });
});
