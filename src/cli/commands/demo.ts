import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import { ReelError } from '../../model/errors.ts';
import { traceNames } from '../../record/catalogue.ts';
import { sessionsFolder } from '../../state/home.ts';
import type { Context } from '../context.ts';
import { runInspect } from './inspect.ts';

export function demoCommand(context: Context): Command {
  return new Command('demo')
    .description('record a real conversation with nothing set up, and print it')
    .addHelpText('after', '\nExamples:\n  $ mcpreel demo\n  $ MCPREEL_HOME=/tmp/reels mcpreel demo')
    .action(() => runDemo(context));
}

/** A real SDK client talks to a real server, and this very program records it in between. */
async function runDemo(context: Context): Promise<void> {
  const { output, programFolder, stateFolder } = context;
  const { converse } = await import('../demo/client.ts');
  // Its own name tells this recording from that of another demo.
  const label = `demo-${randomBytes(3).toString('hex')}`;
  try {
    await converse({
      program: process.execPath,
      args: [
        join(programFolder, 'mcpreel.cjs'),
        '--label',
        label,
        '--',
        process.execPath,
        join(programFolder, 'demo-server.js'),
      ],
      env: { MCPREEL_HOME: stateFolder },
    });
  } catch (error) {
    throw new ReelError('demo-failed', `The demo conversation failed: ${(error as Error).message}`, { cause: error });
  }
  const name = (await traceNames(stateFolder)).find((trace) => trace.includes(`-${label}-`));
  if (name === undefined) throw new ReelError('demo-failed', `Nothing was recorded in ${sessionsFolder(stateFolder)}`);
  const path = join(sessionsFolder(stateFolder), name);
  await output.line(`Recorded a real MCP conversation in ${path}\n`);
  await runInspect(path, {}, context);
  await output.line(`\nSee what each message said:  mcpreel inspect -v ${shortId(name)}`);
}

function shortId(traceName: string): string {
  return traceName.slice(-'12345678.jsonl'.length, -'.jsonl'.length);
}
