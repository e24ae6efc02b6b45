/** Parses JSON Lines as they arrive. It skips an incomplete last line. */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\n');
      rest.push(first);
      for (const next of others) {
        const line = rest.join('');
        rest = [next];
        if (line !== '') yield JSON.parse(line);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
