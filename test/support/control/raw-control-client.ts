import { connect, type Socket } from 'node:net';

/** The other end of a control socket for tests, which says whatever it is told to. */
export class RawScreen {
  readonly socket: Socket;
  /** Whether the other side has ended the connection. */
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

  /** Resolves with the first so many lines. */
  async received(count: number): Promise<string[]> {
    await this.#until(() => this.lines.length >= count || this.isClosed);
    return this.lines;
  }

  /** Resolves when a line has come that includes this, with that line. */
  async receivedOf(part: string): Promise<string> {
    const found = (): string | undefined => this.lines.find((line) => line.includes(part));
    await this.#until(() => found() !== undefined || this.isClosed);
    return found() ?? `closed after ${this.#text}`;
  }

  /** Resolves when the connection is over, with all lines. */
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
