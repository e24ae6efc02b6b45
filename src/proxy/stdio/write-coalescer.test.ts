import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WriteCoalescer } from './write-coalescer.ts';

/** A stream that records the chunks of each write. */
function place(out: string[], name: string): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      out.push(`${name}: ${chunk}`);
      done();
    },
    writev(chunks, done) {
      out.push(`${name}: ${chunks.map(({ chunk }) => String(chunk)).join('+')}`);
      done();
    },
    final(done) {
      out.push(`${name} ends`);
      done();
    },
  });
}

it('lets the first writer in a turn write immediately', async () => {
  const endOfTurn = new WriteCoalescer();
  const out: string[] = [];
  const socket = place(out, 'a');
  const writer = {};
  endOfTurn.gather(socket, writer);
  socket.write('head');
  endOfTurn.end(socket, writer);
  expect(out).toEqual(['a: head', 'a ends']);
  await turn();
  expect(out).toEqual(['a: head', 'a ends']);
});

it('buffers the writes of other writers and sends them in one piece', async () => {
  const endOfTurn = new WriteCoalescer();
  const out: string[] = [];
  const [first, second, third] = [place(out, 'a'), place(out, 'b'), place(out, 'c')];
  endOfTurn.gather(first, first);
  for (const socket of [second, third]) {
    endOfTurn.gather(socket, socket);
    socket.write('head');
    socket.write('body');
  }
  endOfTurn.end(third, third);
  expect(out).toEqual([]);
  await turn();
  expect(out.toSorted()).toEqual(['b: head+body', 'c ends', 'c: head+body']);
});

it('runs its tasks before it releases the buffered writes', async () => {
  const endOfTurn = new WriteCoalescer();
  const out: string[] = [];
  const [first, second] = [place(out, 'a'), place(out, 'b')];
  endOfTurn.gather(first, first);
  endOfTurn.gather(second, second);
  second.write('head');
  endOfTurn.add(() => second.write('more'));
  await turn();
  expect(out).toEqual(['b: head+more']);
});

it('starts over with every turn', async () => {
  const endOfTurn = new WriteCoalescer();
  const out: string[] = [];
  endOfTurn.gather(place(out, 'a'), {});
  await turn();
  const socket = place(out, 'b');
  endOfTurn.gather(socket, socket);
  socket.write('now');
  expect(out).toEqual(['b: now']);
});
