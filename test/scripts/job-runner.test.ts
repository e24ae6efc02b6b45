import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Place } from '../support/place.ts';

const RUNNER = new URL('../../scripts/job-runner.mjs', import.meta.url).href;

interface Job {
  readonly name: string;
  readonly covers: string;
  readonly command: readonly string[];
  readonly full?: readonly string[];
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A job that runs a script in the test's folder. */
function job(name: string, script: string, fullScript?: string): Job {
  const command = (code: string): string[] => [process.execPath, '-e', code];
  const full = fullScript === undefined ? {} : { full: command(fullScript) };
  return { name, covers: `what ${name} covers`, command: command(script), ...full };
}

/** A script that records its run in a file, and exits with this status. */
const noting = (name: string, status = 0): string =>
  `fs.appendFileSync('ran', '${name} '); console.log('output of ${name}'); process.exitCode = ${status};`;

/** Runs jobs with these arguments, for sources with this fingerprint. */
function start(place: Place, jobs: readonly Job[], args: readonly string[], fingerprint = 'one') {
  const options = `{ folder: 'cache', cwd: '.', fingerprint: () => ${JSON.stringify(fingerprint)} }`;
  const script = `import { runJobs } from ${JSON.stringify(RUNNER)};
    process.exitCode = await runJobs(${JSON.stringify(jobs)}, ${JSON.stringify(args)}, ${options});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: place.folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
  return { child, ended };
}

function run(place: Place, jobs: readonly Job[], args: readonly string[], fingerprint?: string): Promise<Ended> {
  return start(place, jobs, args, fingerprint).ended;
}

function ran(place: Place): string[] {
  return existsSync(place.path('ran')) ? place.read('ran').trim().split(' ') : [];
}

const JOBS = [job('one', noting('one')), job('two', noting('two')), job('three', noting('three'))];

describe('the job runner', () => {
  it('runs jobs in order, reports each result and a table, and writes their output to logs', async () => {
    const place = new Place();
    const { code, stdout, stderr } = await run(place, JOBS, []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(ran(place)).toEqual(['one', 'two', 'three']);
    const lines = stdout.replaceAll(/\d+\.\d s/g, 'n s').split('\n');
    expect(lines).toEqual([
      'one  n s  passed',
      'two  n s  passed',
      'three  n s  passed',
      '',
      expect.stringMatching(/^job +time +result$/) as string,
      expect.stringMatching(/^one +n s +passed$/) as string,
      expect.stringMatching(/^two +n s +passed$/) as string,
      expect.stringMatching(/^three +n s +passed$/) as string,
      '',
    ]);
    expect(place.read('cache/two.log')).toBe('output of two\n');
  });

  it('runs only the named jobs, and lists all jobs without running them', async () => {
    const place = new Place();
    expect(await run(place, JOBS, ['--only', 'three,one'])).toMatchObject({ code: 0 });
    expect(ran(place)).toEqual(['one', 'three']);
    const { code, stdout } = await run(place, JOBS, ['--list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^job +covers\none +what one covers\ntwo +what two covers\n/);
    expect(ran(place)).toHaveLength(2);
  });

  it('continues after a failed job, shows its output, names its log, and exits with 1', async () => {
    const place = new Place();
    const jobs = [job('bad', noting('bad', 7)), job('good', noting('good'))];
    const missing = { name: 'missing', covers: '', command: ['./no-such-program'] };
    const { code, stdout } = await run(place, [...jobs, missing], []);
    expect(code).toBe(1);
    expect(ran(place)).toEqual(['bad', 'good']);
    expect(stdout).toMatch(/^output of bad\nbad {2}\S+ s {2}FAILED \(exit 7\), see cache\/bad\.log\ngood {2}/);
    expect(stdout).not.toContain('output of good');
    expect(stdout).toMatch(/^missing +\S+ s +FAILED \(.*ENOENT\)$/m);
  });

  it('skips with --resume only jobs that passed for the same sources', async () => {
    const place = new Place();
    const failing = [JOBS[0], job('two', noting('two', 1)), JOBS[2]] as Job[];
    expect((await run(place, failing, [])).code).toBe(1);
    const resumed = await run(place, failing, ['--resume']);
    expect(ran(place)).toEqual(['one', 'two', 'three', 'two']);
    expect(resumed.code).toBe(1);
    expect(resumed.stdout).toMatch(/^one +passed before$/m);
    const changed = await run(place, JOBS, ['--resume'], 'another');
    expect(changed.code).toBe(0);
    expect(ran(place).slice(4)).toEqual(['one', 'two', 'three']);
    const again = await run(place, JOBS, ['--resume'], 'another');
    expect(again.code).toBe(0);
    expect(ran(place)).toHaveLength(7);
    await run(place, JOBS, ['--only', 'one'], 'another');
    expect(ran(place)).toHaveLength(8);
  });

  it('treats a full command and a short one as different jobs', async () => {
    const place = new Place();
    const jobs = [job('soak', noting('short'), noting('full'))];
    await run(place, jobs, []);
    await run(place, jobs, ['--full', '--resume']);
    await run(place, jobs, ['--full', '--resume']);
    expect(ran(place)).toEqual(['short', 'full']);
  });

  it('stops the running job and its child processes on Ctrl-C, and continues with --resume', async () => {
    const place = new Place();
    const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
    const endless = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}]);
      child.once('spawn', () => fs.writeFileSync('pid', String(child.pid)));
      setInterval(() => {}, 1000);`;
    const jobs = [JOBS[0], job('endless', endless), JOBS[2]] as Job[];
    const { child, ended } = start(place, jobs, []);
    await expect.poll(() => place.files().includes('pid') && place.read('pid')).toMatch(/^\d+$/);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/^endless +\S+ s +stopped$/m);
    expect(stdout).toMatch(/^three +not run$/m);
    expect(stdout).toContain('Continue with --resume.');
    const pid = Number(place.read('pid'));
    await expect.poll(() => isRunning(pid)).toBe(false);
    const resumed = await run(place, [JOBS[0], job('endless', noting('endless')), JOBS[2]] as Job[], ['--resume']);
    expect(resumed.code).toBe(0);
    expect(ran(place)).toEqual(['one', 'endless', 'three']);
  });

  it.each([
    [['--no-such-flag'], "Unknown option '--no-such-flag'"],
    [['--only', 'one,four'], 'No job "four". There are one, two, three.'],
    [['one'], "Unexpected argument 'one'"],
  ])('refuses %j in one line', async (args, message) => {
    const place = new Place();
    const { code, stdout, stderr } = await run(place, JOBS, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ran(place)).toEqual([]);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
