// Finds wine, for testing Windows on Linux, and runs programs in a separate prefix.
//
// Debian 12 has wine 8, which can run the checks of windows-checks.mjs. The unit tests need wine 10, which Debian 13
// has. `--get-wine` (as root) installs it into a folder and runs it from there. MCPREEL_WINE_ROOT names another such
// folder.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder that `--get-wine` installs into. */
const CACHED_ROOT = join(tmpdir(), 'mcpreel-wine');

/** The paths in Debian's packages. The first would run the second. */
const PROGRAMS = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/bin/wine'];

/**
 * Runs the command in its arguments in another root, in which the work folder has the same path. The mounts are in a
 * separate namespace and end with the process.
 */
const IN_ROOT = `
root="$1" work="$2" folder="$3"; shift 3
cp /etc/hosts "$root/etc/hosts" 2>/dev/null
mkdir -p "$root$work" && mount --bind "$work" "$root$work" &&
mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" &&
exec chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`;

/** Finds wine, or returns the reason why it is missing. Another root is preferred, because it has the newer wine. */
export function findWine() {
  const given = process.env.MCPREEL_WINE_ROOT;
  const root = given ?? CACHED_ROOT;
  const inRoot = PROGRAMS.find((program) => existsSync(join(root, program)));
  if (inRoot !== undefined) {
    const { status, stderr } = spawnSync('unshare', [...namespace(), 'true'], { encoding: 'utf8' });
    if (status === 0) return { program: inRoot, root };
    return { missing: `the wine in ${root} needs mount namespaces: ${(stderr ?? 'no unshare').trim()}` };
  }
  if (given !== undefined) return { missing: `there is no wine in MCPREEL_WINE_ROOT (${given})` };
  const program = PROGRAMS.find((path) => existsSync(path));
  if (program !== undefined) return { program };
  return { missing: 'there is no wine here (Debian: apt-get install --no-install-recommends wine64, or --get-wine)' };
}

/** Installs Debian 13 with wine 10 into the folder where `findWine` looks. Returns the error message on failure. */
export function getWine() {
  if (PROGRAMS.some((program) => existsSync(join(CACHED_ROOT, program)))) return undefined;
  const packages = ['apt-get', 'install', '-y', '--no-install-recommends', 'wine64', 'wine'];
  for (const command of [
    ['debootstrap', '--variant=minbase', 'trixie', CACHED_ROOT],
    ['chroot', CACHED_ROOT, ...packages],
  ]) {
    const [program, ...args] = command;
    const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) return `${command.join(' ')}: ${error?.message ?? `${stdout}${stderr}`.slice(-2000)}`;
  }
  return undefined;
}

/** A wine prefix in the work folder that runs Windows programs. They see no file outside it. */
export class Wine {
  #found;
  #work;
  #env;
  #number = 0;

  constructor(found, work) {
    this.#found = found;
    this.#work = work;
    const prefix = join(work, 'prefix');
    const { PATH, USER } = process.env;
    this.#env = {
      PATH,
      USER,
      HOME: work,
      LC_ALL: 'C.UTF-8',
      WINEPREFIX: prefix,
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: 'mscoree,mshtml=',
    };
    mkdirSync(prefix);
  }

  /** Creates the prefix. Returns the version of wine, as in "10.0". */
  async start() {
    const { output } = await this.run(['--version']);
    const version = /wine-(\d+\.\d+)/.exec(output)?.[1];
    if (version === undefined) throw new Error(`wine does not run: ${output}`);
    await this.run(['wineboot', '-i']);
    // Node refuses the Windows version that wine reports by default.
    await this.run(['winecfg', '-v', 'win10']);
    return version;
  }

  /** Runs a program and resolves with its exit code and all its output. */
  async run(args, { folder = this.#work, timeoutMs = 180_000 } = {}) {
    // Node for Windows cannot open a Linux pipe as its stdout (EBADF), so its output goes to a file.
    const path = join(this.#work, `output-${this.#number++}`);
    const file = openSync(path, 'w');
    const [program, ...rest] = this.#command(args, folder);
    const child = spawn(program, rest, {
      env: this.#env,
      cwd: folder,
      stdio: ['ignore', file, file],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const code = await new Promise((resolve) => {
      child.once('error', () => resolve(-1));
      child.once('exit', (status, signal) => resolve(signal === null ? status : `none within ${timeoutMs / 1000} s`));
    });
    closeSync(file);
    return { code, output: readFileSync(path, 'utf8') };
  }

  /** Starts a program on a console. Data written to its stdin is typed there. */
  startOnConsole(args, folder) {
    const line = this.#command(args, folder).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    // Programs in wine see a Linux terminal as a Windows console.
    return spawn('script', ['-qec', `exec ${line.join(' ')}`, '/dev/null'], {
      env: { ...this.#env, TERM: 'xterm', SHELL: '/bin/sh' },
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  }

  /** Ends all processes in this prefix, and no others. */
  close() {
    const beside = ['wineserver64', 'wineserver'].map((name) => `/usr/lib/wine/${name}`);
    const server = beside.find((path) => existsSync(join(this.#found.root ?? '/', path))) ?? '/usr/bin/wineserver';
    const [program, ...args] = this.#wrapped([server, '-k', '-w'], this.#work);
    spawnSync(program, args, { env: this.#env, stdio: 'ignore', timeout: 30_000 });
    try {
      // The mount point, which is empty again.
      if (this.#found.root !== undefined) rmdirSync(join(this.#found.root, this.#work));
    } catch {
      // An empty folder in a cache does no harm.
    }
  }

  #command(args, folder) {
    return this.#wrapped([this.#found.program, ...args], folder);
  }

  #wrapped(command, folder) {
    const { root } = this.#found;
    if (root === undefined) return command;
    return ['unshare', ...namespace(), 'sh', '-c', IN_ROOT, 'sh', root, this.#work, folder, ...command];
  }
}

/** Converts a path of this system to a Windows path. */
export function windowsPath(path) {
  return `Z:${path.replaceAll('/', '\\')}`;
}

function namespace() {
  return process.getuid() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
}
