// A control client of a live session.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { undoLater } from './undo.mjs';

/** Attaches to the live session in this state folder, follows it, and releases every held message. */
export class LiveScreen {
  /** How many messages it released. */
  released = 0;
  #socket;
  #close;
  #rest = '';
  #refs = 0;
  #waiting = new Map();

  static async attach(home) {
    const folder = join(home, 'live');
    const [name] = readdirSync(folder).filter((file) => file.endsWith('.json'));
    const { socket, token } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const screen = new LiveScreen(connect(socket));
    screen.#socket.write(`${JSON.stringify({ v: 1, token })}\n`);
    await screen.#ask({ type: 'follow' });
    await screen.#ask({ type: 'control' });
    return screen;
  }

  constructor(socket) {
    this.#socket = socket.setEncoding('utf8');
    this.#close = undoLater(() => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The session has left its screen.'));
    });
    socket.on('data', (text) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop();
      for (const line of lines) this.#hear(JSON.parse(line));
    });
  }

  /** Holds messages that match a filter, and releases each at once; without a filter it holds nothing. */
  async hold(filter) {
    await this.#ask({ type: 'mode', mode: filter === undefined ? 'passthrough' : 'intercept', filter });
  }

  async detach() {
    const closed = once(this.#socket, 'close');
    this.#close();
    await closed;
  }

  #ask(request) {
    const ref = ++this.#refs;
    this.#socket.write(`${JSON.stringify({ ...request, ref })}\n`);
    return new Promise((resolve, reject) => this.#waiting.set(ref, { resolve, reject }));
  }

  #hear({ type, ref, held, message }) {
    if (type === 'held') {
      this.released++;
      // Another control client may have decided already, which is fine.
      this.#ask({ type: 'decide', id: held.id, action: 'forward' }).catch(() => {});
    } else if (type === 'done') this.#settle(ref)?.resolve();
    else if (type === 'refused') this.#settle(ref)?.reject(new Error(message));
  }

  #settle(ref) {
    const waiting = this.#waiting.get(ref);
    this.#waiting.delete(ref);
    return waiting;
  }
}
