// Ends with status 3 and leaves a process behind that holds its output open. It says which, for someone to end it.
import { spawn } from 'node:child_process';

const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)'], { stdio: 'inherit', detached: true });
left.unref();
process.stdout.write(`${left.pid}\n`);
process.exitCode = 3;
