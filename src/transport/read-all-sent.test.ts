import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readAllSent } from './read-all-sent.ts';

it('reads the buffered data of a paused stream, and does not wait for more', async () => {
  const stream = new PassThrough();
  const read: string[] = [];
  stream.on('data', (chunk) => read.push(String(chunk)));
  stream.pause();
  stream.write('a');
  stream.write('b');
  expect(await readAllSent(stream)).toBe(true);
  expect(read.join('')).toBe('ab');
});

it('reads a file to its end', async () => {
  const stream = createReadStream(fileURLToPath(import.meta.url), { highWaterMark: 16 });
  let text = '';
  stream.on('data', (chunk) => {
    text += String(chunk);
  });
  expect(await readAllSent(stream)).toBe(true);
  expect(text).toMatch(/^import[\s\S]+\n$/);
});

it('reads a stream that was destroyed to its end', async () => {
  expect(await readAllSent(new PassThrough().destroy())).toBe(true);
});

it('gives up on a peer that never stops sending', async () => {
  const chunk = Buffer.alloc(1 << 20);
  const endless = new Readable({
    read() {
      setImmediate(() => this.push(chunk));
    },
  });
  expect(await readAllSent(endless)).toBe(false);
  endless.destroy();
});
