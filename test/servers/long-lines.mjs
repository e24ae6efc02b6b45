// The content of long lines.
const filling = Buffer.alloc(1 << 18, 'abcdefghijklmnopqrstuvwxyz0123456789');

/** Yields pieces of messages of `lineBytes` each, `bytes` in total, between two short messages. */
export function* longLines(bytes, lineBytes) {
  yield Buffer.from('{"jsonrpc":"2.0","method":"first"}\n');
  for (let number = 0; number * lineBytes < bytes; number++) {
    const [head, tail] = [`{"jsonrpc":"2.0","method":"line","params":[${number},"`, '"]}\n'];
    yield Buffer.from(head);
    for (let left = lineBytes - head.length - tail.length; left > 0; left -= filling.length) {
      yield filling.subarray(0, left);
    }
    yield Buffer.from(tail);
  }
  yield Buffer.from('{"jsonrpc":"2.0","method":"last"}\n');
}
