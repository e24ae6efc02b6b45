/** Builds the lines of a trace for tests, with defaults for most fields. */
export class SampleTrace {
  readonly #lines: string[] = [];
  readonly #startMs: number;
  #sequence = 0;
  #atMs: number;

  constructor(
    label = 'sample',
    startMs: number = Date.UTC(2026, 0, 2, 3, 4, 5),
    command: readonly string[] = ['node', 'server.js'],
  ) {
    this.#startMs = startMs;
    this.#atMs = startMs;
    const startedAt = new Date(startMs).toISOString();
    this.#lines.push(
      JSON.stringify({ v: 1, type: 'meta', startedAt, label, command, id: `id-${label}`, transport: 'stdio' }),
    );
  }

  /** Advances the time. */
  wait(ms: number): this {
    this.#atMs += ms;
    return this;
  }

  client(message: unknown, more: object = {}): this {
    return this.#message('in', message, more);
  }

  server(message: unknown, more: object = {}): this {
    return this.#message('out', message, more);
  }

  /** Adds a tool call and its response. */
  call(id: number, name: string, args: unknown, result: unknown, tookMs = 5): this {
    this.client({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    return this.wait(tookMs).server({ jsonrpc: '2.0', id, result });
  }

  line(line: string): this {
    this.#lines.push(line);
    return this;
  }

  end(): this {
    return this.line(
      JSON.stringify({
        type: 'end',
        t: new Date(this.#atMs).toISOString(),
        exitCode: 0,
        durationMs: this.#atMs - this.#startMs,
      }),
    );
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  #message(dir: 'in' | 'out', raw: unknown, more: object): this {
    const t = new Date(this.#atMs).toISOString();
    return this.line(JSON.stringify({ t, dir, seq: this.#sequence++, raw, ...more }));
  }
}
