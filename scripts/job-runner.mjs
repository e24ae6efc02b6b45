// Runs long jobs in sequence, writes the output of each to a log, and remembers which have passed.
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

/** Time for a job to exit after SIGTERM, before SIGKILL. */
const GRACE_MS = 5000;
/** Maximum lines of a log to print; the log file has the rest. */
const SHOWN_LINES = 200;

/**
 * Runs the jobs that the arguments select, and resolves with the exit code: 0 if all of them passed, 2 for invalid
 * arguments, 130 if the user stopped the run.
 *
 * A job has a `name`, a `command`, the text `covers`, optionally an `env` that is merged into ours, and optionally a
 * `full` command for `--full`. Logs and the list of passed jobs are kept in `folder`. With `--resume`, passed jobs are
 * skipped as long as `fingerprint` is unchanged.
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
    print('\nStopped. Continue with --resume.');
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

/** Runs a job unless there is a reason to skip it, and prints the result on one line. */
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

/** A passed job counts as passed even if that cannot be saved; then `--resume` runs it again. */
function remember(passed, key, print) {
  try {
    passed.add(key);
  } catch (error) {
    print(`Cannot keep what has passed: ${error.message}`);
  }
}

/** Resolves when the command has exited, with the reason if it failed. */
async function runToLog([program, ...args], { env, cwd, log, interrupt }) {
  const output = openSync(log, 'w');
  // A process group of its own, so that the job can be stopped together with its child processes.
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

/** Stops the running job when this process receives a signal. */
class Interrupt {
  signal;
  #child;
  #timer;
  #hear = (signal) => {
    // A second signal kills the job at once.
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

  /** Called when the job has exited. If it was stopped, this also kills the processes that it left behind. */
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
      // The whole process group has exited.
    }
  }
}

/** Keeps the list of jobs that passed with the current sources, in a file. */
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

  /** Atomic: a process that is stopped while it writes leaves the previous file. */
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
