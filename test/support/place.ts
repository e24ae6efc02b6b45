import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { McpreelProcess, type Outcome } from './mcpreel-process.ts';

export interface RunOptions {
  /** What it finds on stdin, which then ends. */
  readonly input?: string | Uint8Array;
  /** Variables beside the few that every run gets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An empty folder to run mcpreel in, with a state folder of its own. It is gone after the test. */
export class Place {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'mcpreel-test-')));
  readonly home: string = this.path('home');

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file and returns its name, as a person in this folder would give it. */
  write(name: string, content: string | Uint8Array): string {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    return name;
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** The permission bits of a file or folder. */
  mode(name: string): number {
    return statSync(this.path(name)).mode & 0o777;
  }

  /** Every file below this folder, by its name. */
  files(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.folder.length + 1))
      .sort();
  }

  /** The traces in the state folder, by their names in this folder. */
  traces(): string[] {
    return this.files().filter((name) => name.startsWith('home/sessions/'));
  }

  /** The text of the only trace in the state folder. */
  trace(): string {
    const [name, ...others] = this.traces();
    if (name === undefined || others.length > 0) throw new Error(`Not one trace: ${this.traces().join(', ')}`);
    return this.read(name);
  }

  /** Starts mcpreel here and lets it run. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): McpreelProcess {
    return new McpreelProcess(args, { cwd: this.folder, env: { ...this.environment(), ...env } });
  }

  /** Runs mcpreel here until it ends. */
  run(args: readonly string[], { input = '', env = {} }: RunOptions = {}): Promise<Outcome> {
    const running = this.start(args, env);
    running.end(input);
    return running.ended;
  }

  /** What every run is given: no more than it takes to find programs and the state folder. */
  environment(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', MCPREEL_HOME: this.home };
  }
}
