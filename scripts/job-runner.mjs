// Runs long jobs one after the other, keeps what each prints in a log, and remembers which have passed.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { durationText } from './duration-text.mjs';

const FLAGS = {
  only: { type: 'string' },
  list: { type: 'boolean', default: false },
  resume: { type: 'boolean', default: false },
  full: { type: 'boolean', default: false },
};

/** What a job gets to end by itself when it is told to. */
const GRACE_MS = 5000;
/** So much of a log is shown; the rest is in its file. */
const SHOWN_LINES = 200;

/**
 * Runs jobs as the arguments ask for, and resolves with the exit code: 0 if all of them have passed, 2 for arguments that
 * make no sense, 130 if somebody stopped it.
 *
 * A job has a `name`, a `command`, an `env` beside ours if it needs one, what it `covers`, and perhaps a `full` command for
 * `--full`. Logs and what has passed are kept in `folder`; what has passed counts with `--resume` as long as `fingerprint`
 * says the same.
 */
export async function runJobs(jobs, args, { folder, fingerprint, cwd, print = (line) => console.log(line) }) {
  let options;
  try {
    options = optionsFrom(args, jobs);
  } catch (error) {
    console.error(`test:long: ${error.message}`);
    return 2;
  }
  const { selected, list, resume, full } = options;
  if (list) {
    printRows(print, [['job', 'covers'], ...jobs.map(({ name, covers }) => [name, covers])]);
    return 0;
  }
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    console.error(`test:long: Cannot keep logs in ${folder}: ${error.message}`);
    return 1;
  }
  const passed = new PassedJobs(join(folder, 'state.json'), fingerprint());
  const interrupt = new Interrupt();
  const rows = [];
  try {
    for (const job of selected) {
      const command = full && job.full !== undefined ? job.full : job.command;
      const key = JSON.stringify([job.name, command, job.env]);
      rows.push(await resultOf(job, command, { key, folder, cwd, passed, resume, interrupt, print }));
    }
  } finally {
    interrupt.close();
  }
  print('');
  printRows(print, [['job', 'time', 'result'], ...rows.map(({ name, time, result }) => [name, time, result])]);
  if (interrupt.signal !== undefined) {
    print('\nStopped. Go on with --resume.');
    return 130;
  }
  return rows.every(({ isPassed }) => isPassed) ? 0 : 1;
}

function optionsFrom(args, jobs) {
  const { values } = parseArgs({ args, options: FLAGS });
  const names = values.only?.split(',');
  const unknown = names?.find((name) => !jobs.some((job) => job.name === name));
  if (unknown !== undefined) {
    throw new Error(`No job "${unknown}". There are ${jobs.map(({ name }) => name).join(', ')}.`);
  }
  return { ...values, selected: jobs.filter(({ name }) => names === undefined || names.includes(name)) };
}

/** Runs a job unless there is a reason not to; what came of it is told in a line. */
async function resultOf({ name, env }, command, { key, folder, cwd, passed, resume, interrupt, print }) {
  if (interrupt.signal !== undefined) return { name, time: '', result: 'not run' };
  if (resume && passed.has(key)) return { name, time: '', result: 'passed before', isPassed: true };
  const log = join(folder, `${name}.log`);
  try {
    passed.remove(key);
  } catch (error) {
    return { name, time: '', result: `FAILED (${error.message})` };
  }
  const startMs = performance.now();
  const failure = await runToLog(command, { env, cwd, log, interrupt }).catch((error) => error.message);
  const time = durationText(performance.now() - startMs);
  const isPassed = failure === undefined && interrupt.signal === undefined;
  if (isPassed) remember(passed, key, print);
  else if (interrupt.signal === undefined && existsSync(log)) print(lastLines(readFileSync(log, 'utf8')));
  const result = isPassed ? 'passed' : interrupt.signal === undefined ? `FAILED (${failure})` : 'stopped';
  print(`${name}  ${time}  ${result}${isPassed ? '' : `, see ${log}`}`);
  return { name, time, result, isPassed };
}

/** A job that passed has passed, also where that cannot be kept: it only runs again with --resume. */
function remember(passed, key, print) {
  try {
    passed.add(key);
  } catch (error) {
    print(`Cannot keep what has passed: ${error.message}`);
  }
}

/** Resolves when the command has ended, with why it failed if it did. */
async function runToLog([program, ...args], { env, cwd, log, interrupt }) {
  const output = openSync(log, 'w');
  // A group of its own can be stopped with all that it has started.
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: process.platform !== 'win32',
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  interrupt.stops(child);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      interrupt.forget();
      resolve(code === 0 ? undefined : `exit ${signal ?? code}`);
    });
  });
}

/** Stops the job that runs when somebody stops us. */
class Interrupt {
  signal;
  #child;
  #timer;
  #hear = (signal) => {
    // Asked twice, it does not wait.
    const isAgain = this.signal !== undefined;
    this.signal = signal;
    this.#stop(isAgain ? 'SIGKILL' : 'SIGTERM');
    this.#timer ??= setTimeout(() => this.#stop('SIGKILL'), GRACE_MS);
  };

  constructor() {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, this.#hear);
  }

  stops(child) {
    this.#child = child;
  }

  /** The job has ended. What it started and left behind when it was stopped is ended, too. */
  forget() {
    if (this.signal !== undefined) this.#stop('SIGKILL');
    this.#child = undefined;
    clearTimeout(this.#timer);
  }

  close() {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, this.#hear);
  }

  #stop(signal) {
    const { pid } = this.#child ?? {};
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // All of it has ended.
    }
  }
}

/** The jobs that have passed for the sources as they are, in a file. */
class PassedJobs {
  #path;
  #fingerprint;
  #keys;

  constructor(path, fingerprint) {
    this.#path = path;
    this.#fingerprint = fingerprint;
    this.#keys = new Set(readState(path, fingerprint));
  }

  has(key) {
    return this.#keys.has(key);
  }

  add(key) {
    this.#keys.add(key);
    this.#write();
  }

  remove(key) {
    if (this.#keys.delete(key)) this.#write();
  }

  /** At once or not at all: whoever is stopped meanwhile leaves the state before. */
  #write() {
    writeFileSync(`${this.#path}.new`, JSON.stringify({ fingerprint: this.#fingerprint, passed: [...this.#keys] }));
    renameSync(`${this.#path}.new`, this.#path);
  }
}

function readState(path, wanted) {
  try {
    const { fingerprint, passed } = JSON.parse(readFileSync(path, 'utf8'));
    return fingerprint === wanted && Array.isArray(passed) ? passed : [];
  } catch {
    return [];
  }
}

function printRows(print, rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    print(
      row
        .map((text, column) => text.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}
