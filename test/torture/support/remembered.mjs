// What a server that remembers (servers/remembering.mjs) tells when its input has ended.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { server } from './reel.mjs';
import { undoLater } from './undo.mjs';

/** Where such servers report to. */
export class Reports {
  #listener;
  #path;
  #first;
  #close;

  static async open(path) {
    const reports = new Reports(path);
    await once(reports.#listener, 'listening');
    return reports;
  }

  constructor(path) {
    this.#path = path;
    this.#listener = createServer();
    this.#first = new Promise((resolve, reject) => {
      this.#listener.once('connection', (socket) => {
        let text = '';
        socket.setEncoding('utf8');
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.once('end', () => resolve(text));
        socket.once('error', reject);
      });
    });
    this.#listener.listen(path);
    this.#close = undoLater(() => this.#listener.close());
  }

  /** The command line of a server that reports here. */
  get command() {
    return [process.execPath, server('remembering.mjs'), this.#path];
  }

  /** Resolves with what the first that reports has heard and said. */
  async first() {
    return JSON.parse(await this.#first);
  }

  close() {
    this.#close();
  }
}
