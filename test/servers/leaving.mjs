// Exits with status 3 and leaves a child process that keeps its stdout open. It prints the child's pid, so that the
// test can kill it.
import { spawn } from 'node:child_process';

const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)'], { stdio: 'inherit', detached: true });
left.unref();
process.stdout.write(`${left.pid}\n`);
process.exitCode = 3;
