// `npm start`: runs the demo, or the mcpreel arguments after `npm start --`, with the program built here.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readyOrExit } from './ready.mjs';
import { root } from './run.mjs';

const program = join(root, 'dist', 'mcpreel.cjs');
const args = process.argv.slice(2);

// Not in a script named prestart, which npm skips with ignore-scripts, and Yarn always.
await readyOrExit();

// npm changes to the root of the clone, but paths on the command line are relative to the folder where the user typed
// it.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
// Runs in this process, so that signals, streams and the exit status are those of the command.
process.argv = [process.execPath, program, ...(args.length > 0 ? args : ['demo'])];
createRequire(import.meta.url)(program);
