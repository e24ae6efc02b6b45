import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import { openSource } from '../../catalog/open-session.ts';
import { traceNames } from '../../catalog/trace-names.ts';
import { ReelError } from '../../model/errors.ts';
import { sayingLeftOut, shellLine } from '../../model/shell-line.ts';
import { sessionsFolder } from '../../state/home.ts';
import type { CommandStep } from '../command-run.ts';
import type { CommandEnvironment } from '../context.ts';
import { examples } from '../examples.ts';
import { ownCommand } from '../own-command.ts';
import { runInspect } from './inspect/inspect.ts';
import { servePage } from './view/view-page.ts';

interface DemoFlags {
  readonly open: boolean;
}

export function demoCommand(context: CommandEnvironment): Command {
  return new Command('demo')
    .description('record a demo session and open it in the browser')
    .option('--no-open', 'do not open the browser')
    .addHelpText('after', examples(['mcpreel demo', 'mcpreel demo --no-open']))
    .action((flags: DemoFlags) => context.execute(runDemo(flags, context)));
}

/** Runs an SDK client against the demo server, with this program recording between them. */
async function* runDemo({ open }: DemoFlags, context: CommandEnvironment): CommandStep {
  const { node, programFolder, stateFolder, env, platform } = context;
  const { converse } = await import('../demo/client.ts');
  // A unique label tells this recording from those of other demos.
  const label = `demo-${randomBytes(3).toString('hex')}`;
  try {
    await converse({
      program: node.path,
      args: [
        join(programFolder, 'mcpreel.cjs'),
        '--label',
        label,
        '--',
        node.path,
        join(programFolder, 'demo-server.js'),
      ],
      env: { MCPREEL_HOME: stateFolder },
    });
  } catch (error) {
    throw new ReelError('demo-failed', `The demo session failed: ${(error as Error).message}`, { cause: error });
  }
  const name = (await traceNames(stateFolder)).find((trace) => trace.includes(`-${label}-`));
  if (name === undefined) {
    throw new ReelError('demo-failed', `Nothing was recorded in ${sessionsFolder(stateFolder)}`, {
      hint: `Check your setup: ${ownCommand(context)} doctor`,
    });
  }
  const path = join(sessionsFolder(stateFolder), name);
  yield `Recorded a demo session to ${path}\n\n`;
  yield* runInspect(path, { calls: true }, context);
  // A session id is looked up only in the state folder, and these variables may be set for this command only.
  const session = env.MCPREEL_HOME || env.XDG_STATE_HOME ? shellLine([path], platform) : shortId(name);
  yield `\nPrint every message: ${sayingLeftOut(`${ownCommand(context)} inspect -v ${session}`)}\n`;
  if (context.terminal.isTerminal) yield* showPage(path, open, context);
}

/** On a terminal, serves the page until Ctrl-C. In a script, the printed output is enough. */
async function* showPage(path: string, opens: boolean, context: CommandEnvironment): CommandStep {
  yield 'Viewing the session; press Ctrl-C to stop:\n';
  const spool = await openSource(path, {});
  yield* servePage(
    { files: [{ spool, format: undefined, isOwn: true }], live: undefined },
    { port: 0, opens },
    context,
  );
}

function shortId(traceName: string): string {
  return traceName.slice(-'12345678.jsonl'.length, -'.jsonl'.length);
}
