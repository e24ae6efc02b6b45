// Collects the reports that servers/remembering.mjs sends when its stdin has ended.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { server } from './reel.mjs';
import { undoLater } from './undo.mjs';

/** The socket to which such servers report. */
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

  /** Resolves with the messages of the first server that reports. */
  async first() {
    return JSON.parse(await this.#first);
  }

  close() {
    this.#close();
  }
}
