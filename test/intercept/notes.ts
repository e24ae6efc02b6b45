import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Watch } from '../support/watch.ts';

/** A message exactly as it reached the server. */
export interface Note {
  readonly text: string;
  /** Its HTTP headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Collects what reached the servers of a test, on a channel that mcpreel does not see. */
export class Notes {
  readonly heard: Note[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'mcpreel-notes-'));
  readonly #changes = new Watch();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => this.#listenTo(socket));

  /** The socket to which servers report what they received. */
  get path(): string {
    return join(this.#folder, 'notes.sock');
  }

  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(this.path, resolve);
    });
  }

  /** Resolves with the message that contains this text, once it has reached the server. */
  hears(text: string): Promise<Note> {
    return this.#changes.until(() => this.heard.find((note) => note.text.includes(text)));
  }

  /** Which of these texts were in received messages, in the order of arrival. */
  order(...texts: readonly string[]): string[] {
    return this.heard.flatMap((note) => texts.filter((text) => note.text.includes(text)));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #listenTo(socket: Socket): void {
    this.#sockets.add(socket);
    let rest = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.heard.push(JSON.parse(line) as Note);
      this.#changes.changed();
    });
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
