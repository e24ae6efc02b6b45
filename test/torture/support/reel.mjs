// The mcpreel build under test, and the servers behind it.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { undoLater } from './undo.mjs';

let dist = fileURLToPath(new URL('../../../dist', import.meta.url));

/** Uses the build in this folder from now on. */
export function setDist(folder) {
  dist = folder;
}

export const mcpreel = () => join(dist, 'mcpreel.cjs');

/** The library of the same build. */
export const library = () => import(pathToFileURL(join(dist, 'index.js')));

/** The path of a server in test/servers. */
export const server = (name) => fileURLToPath(new URL(`../../servers/${name}`, import.meta.url));

/** Node flags that preload a module into mcpreel. */
export const preload = (name) => ['--require', fileURLToPath(new URL(`../preload/${name}`, import.meta.url))];

/** An environment variable of all processes of this run, used to find leftover processes. */
const MARK = `MCPREEL_TORTURE=${process.pid}`;

/** Starts a Node program that is killed at the latest when this process exits. */
export function startNode(args, { cwd, env = {}, stdio = ['pipe', 'pipe', 'pipe'] } = {}) {
  const [name, value] = MARK.split('=');
  const child = spawn(process.execPath, args, {
    cwd,
    stdio,
    env: { PATH: process.env.PATH ?? '', [name]: value, ...env },
  });
  const kill = undoLater(() => child.kill('SIGKILL'));
  child.once('close', kill);
  // A program that does not read its stdin may exit before everything is written.
  child.stdin?.on('error', () => {});
  return child;
}

/** The processes of this run that are still running. */
export function leftProcesses() {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && Number(id) !== process.pid && isOurs(id));
}

function isOurs(id) {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1').split('\0').includes(MARK);
  } catch {
    return false;
  }
}

/** A running mcpreel in its own folder. */
export class Reel {
  child;
  /** Resolves with its exit status and stderr. */
  ended;
  #stderr = '';

  constructor(folder, args, { env = {}, nodeFlags = [], keepsStderr = true } = {}) {
    this.child = startNode([...nodeFlags, mcpreel(), ...args], {
      cwd: folder,
      env: { MCPREEL_HOME: join(folder, 'home'), ...env },
    });
    if (keepsStderr) {
      this.child.stderr.on('data', (chunk) => {
        this.#stderr += chunk;
      });
    }
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => resolve({ code, signal, stderr: this.#stderr }));
    });
  }

  /** Starts mcpreel with a listener. Resolves with it and its URL. */
  static async listen(folder, args, options) {
    const flags = ['proxy', 'start', '--headless', '--listen-port', '0'];
    const reel = new Reel(folder, [...flags, ...args], options);
    const [, url] = await reel.noted(/^mcpreel: Listening on (\S+)/m);
    return { reel, url };
  }

  get pid() {
    return this.child.pid;
  }

  /** Resolves with the match of a pattern on its stderr. */
  noted(pattern) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.#stderr);
        if (found === null) return;
        this.child.stderr.off('data', look);
        resolve(found);
      };
      this.child.stderr.on('data', look);
      this.ended.then(() => reject(new Error(`It ended without ${pattern}: ${this.#stderr}`)), reject);
      look();
    });
  }

  /** Kills mcpreel after a busy wait, which may be shorter than any timer. */
  kill(spinMs) {
    const until = performance.now() + spinMs;
    while (performance.now() < until);
    this.child.kill('SIGKILL');
  }

  /** Stops a listener as Ctrl-C does. */
  stop() {
    this.child.kill('SIGINT');
    return this.ended;
  }
}

/** The memory of a process in bytes; `undefined` where the system does not report it. */
export function memoryOf(id, field = 'VmRSS') {
  try {
    const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${id}/status`, 'utf8'));
    return Number(kilobytes) * 1000;
  } catch {
    return undefined;
  }
}

/** The number of open files, sockets and other handles of a process. */
export function handlesOf(id) {
  return readdirSync(`/proc/${id}/fd`).length;
}
