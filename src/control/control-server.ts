import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { removeQuietly } from '../files/remove-quietly.ts';
import type { SessionControl } from '../intercept/session-control.ts';
import { MAX_FIRST_LINE_BYTES, MAX_REQUEST_BYTES } from './control-protocol.ts';
import { ScreenConnection, type ScreenLimits } from './screen-connection.ts';

/** Serves the control socket of a session, to which other processes connect to watch and steer it. */
export interface ControlServer {
  /** Tells all connected clients that the session is over, and removes the socket. Never rejects. */
  close(): Promise<void>;
}

export interface ControlPlace {
  /** The path of the socket, or the name of a pipe. Only this user can access its folder. */
  readonly socket: string;
  /** The token that the first line of a connection must contain. */
  readonly token: string;
}

export interface ControlLimits extends ScreenLimits {
  readonly connections: number;
}

const LIMITS: ControlLimits = {
  connections: 64,
  firstLineBytes: MAX_FIRST_LINE_BYTES,
  firstLineMs: 5000,
  requestBytes: MAX_REQUEST_BYTES,
  openRequests: 256,
  waitingForLines: 1 << 22,
  waitingAtAll: 1 << 28,
  lingerMs: 500,
};

/**
 * Opens the control socket of a session. Returns `undefined` if it cannot listen there. The session works without the
 * socket, and no failure of the socket affects it.
 */
export async function serveLive(
  control: SessionControl,
  { socket, token }: ControlPlace,
  limits: Partial<ControlLimits> = {},
): Promise<ControlServer | undefined> {
  const served = new ControlSocket(control, token, { ...LIMITS, ...limits });
  return (await served.listen(socket)) ? served : undefined;
}

class ControlSocket implements ControlServer {
  readonly #control: SessionControl;
  readonly #token: string;
  readonly #limits: ControlLimits;
  readonly #server: Server;
  readonly #connections = new Map<Socket, ScreenConnection>();
  #path: string | undefined;
  #onEmpty: () => void = () => undefined;

  constructor(control: SessionControl, token: string, limits: ControlLimits) {
    this.#control = control;
    this.#token = token;
    this.#limits = limits;
    this.#server = createServer((socket) => this.#connect(socket)).unref();
  }

  async listen(path: string): Promise<boolean> {
    const server = this.#server;
    const isListening = new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false)).once('listening', () => resolve(true));
    });
    try {
      server.listen(path);
      // Restricted at once, before any connection is served.
      if (server.listening && !isPipeName(path)) chmodSync(path, 0o600);
    } catch {
      server.close();
      return false;
    }
    this.#path = path;
    return isListening;
  }

  async close(): Promise<void> {
    const path = this.#path;
    this.#path = undefined;
    this.#server.close();
    for (const connection of this.#connections.values()) connection.finish();
    await this.#emptied();
    if (path !== undefined && !isPipeName(path)) removeQuietly(path);
  }

  #connect(socket: Socket): void {
    const connection = new ScreenConnection(socket, this.#control, this.#token, this.#limits);
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connections.delete(socket);
      if (this.#connections.size === 0) this.#onEmpty();
    });
    if (this.#connections.size > this.#limits.connections) this.#makeRoom(connection);
  }

  /** Over the connection limit, a connection that has not authenticated is closed to admit the new one. */
  #makeRoom(newcomer: ScreenConnection): void {
    const stranger = [...this.#connections.values()].find(({ isAdmitted }) => !isAdmitted);
    if (stranger === undefined || stranger === newcomer) newcomer.turnAway();
    else stranger.abandon();
  }

  /** Resolves when all connections are closed. Destroys those that are still open after the linger time. */
  #emptied(): Promise<void> {
    if (this.#connections.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const socket of this.#connections.keys()) socket.destroy();
        resolve();
      }, this.#limits.lingerMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function isPipeName(path: string): boolean {
  return path.startsWith('\\\\.\\pipe\\');
}
