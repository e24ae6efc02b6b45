import { connect, type Socket } from 'node:net';

/** A raw client of a control socket for tests, which sends any line. */
export class RawScreen {
  readonly socket: Socket;
  /** Whether the session closed the connection. */
  isClosed = false;
  #text = '';
  #look: () => void = () => undefined;

  constructor(path: string) {
    this.socket = connect(path);
    this.socket.setEncoding('utf8');
    this.socket.on('data', (text) => {
      this.#text += text;
      this.#look();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
      this.#look();
    });
  }

  get lines(): string[] {
    return this.#text.split('\n').slice(0, -1);
  }

  say(line: string): void {
    this.socket.write(`${line}\n`);
  }

  /** Resolves with the first `count` lines. */
  async received(count: number): Promise<string[]> {
    await this.#until(() => this.lines.length >= count || this.isClosed);
    return this.lines;
  }

  /** Resolves with the first line that includes this text. */
  async receivedOf(part: string): Promise<string> {
    const found = (): string | undefined => this.lines.find((line) => line.includes(part));
    await this.#until(() => found() !== undefined || this.isClosed);
    return found() ?? `closed after ${this.#text}`;
  }

  /** Resolves with all lines when the connection has ended. */
  async closed(): Promise<string[]> {
    await this.#until(() => this.isClosed);
    return this.lines;
  }

  #until(isThere: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => isThere() && resolve();
      this.#look();
    });
  }
}
