import { Command } from 'commander';
import { callsOf } from '../../../analysis/calls/call-tracker.ts';
import { type AcceptedTools, type Baseline, writeBaseline } from '../../../analysis/contract/baseline.ts';
import { type Drift, driftBetween } from '../../../analysis/contract/drift.ts';
import { type ToolDefinitions, ToolListings } from '../../../analysis/contract/tool-listing.ts';
import { compact } from '../../../json/layout.ts';
import { ReelError } from '../../../model/errors.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { formatSessionTime } from '../../../model/times.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { usage } from '../../flags/flag-values.ts';
import { deliver, isStandardOutput } from '../shared/deliver.ts';
import { type ReadingFlags, readingOptions, SESSION, withSession } from '../shared/reading.ts';
import { defaultBaselinePath, loadBaseline, requireBaseline, saveBaseline } from './baseline-file.ts';

interface BaselineFlags {
  readonly baseline?: string;
  readonly json?: boolean;
}

interface AcceptFlags extends BaselineFlags, ReadingFlags {
  readonly server?: string;
}

const FILE_FLAG = ['--baseline <file>', 'baseline file (default: in the state folder)'] as const;

export function baselineCommand(context: CommandEnvironment): Command {
  return new Command('baseline')
    .description('manage the tool definitions that check compares against')
    .addCommand(acceptCommand(context))
    .addCommand(showCommand(context))
    .addCommand(resetCommand(context))
    .addHelpText('after', examples(['mcpreel baseline accept session.json', 'mcpreel baseline show']));
}

function acceptCommand(context: CommandEnvironment): Command {
  const command = new Command('accept')
    .description('accept the tools listed in a session as the baseline')
    .argument(...SESSION)
    .optionsGroup('Output:')
    .option('--server <label>', 'server name (default: the label of the session)')
    .option(...FILE_FLAG)
    .option('--json', 'print JSON');
  for (const option of readingOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples([
        'mcpreel baseline accept session.json',
        'mcpreel baseline accept session.json --server files --baseline tools.json',
      ]),
    )
    .action((argument: string | undefined, flags: AcceptFlags) =>
      context.execute(withSession(argument, flags, context, (session) => runAccept(session, flags, context))),
    );
}

async function* runAccept(session: RecordedSession, flags: AcceptFlags, context: CommandEnvironment): CommandStep {
  const isPrinted = isStandardOutput(flags.baseline) && flags.baseline !== undefined;
  const path = isPrinted ? '-' : (flags.baseline ?? defaultBaselinePath(context.stateFolder));
  const server = flags.server ?? session.header.label;
  const tools = await listedTools(session);
  const baseline = (isPrinted ? undefined : await loadBaseline(path)) ?? new Map();
  const before: ToolDefinitions = baseline.get(server)?.tools ?? new Map();
  const accepted = { session: session.header.id, recordedAt: formatSessionTime(session.header.startedAtMs), tools };
  const saved = new Map([...baseline, [server, accepted]]);
  if (isPrinted) {
    yield* deliver([writeBaseline(saved)], undefined);
    return;
  }
  await saveBaseline(path, saved, context);
  const changes = driftBetween(before, tools, true);
  if (flags.json) {
    const reported = changes.map(({ tool, kind, changes: places }) => ({
      tool,
      kind,
      paths: places.map((at) => at.path),
    }));
    yield `${JSON.stringify({ server, baseline: path, tools: tools.size, changes: reported })}\n`;
    return;
  }
  const unchanged = before.size > 0 && changes.length === 0 ? ' (no changes)' : '';
  yield `${oneLine(`Accepted ${countOf(tools.size, 'tool')} of ${JSON.stringify(server)} into ${path}${unchanged}`)}\n`;
  for (const change of changes) yield `  ${oneLine(changeText(change))}\n`;
}

function changeText({ tool, kind, changes }: Drift): string {
  return `${kind} ${tool}${changes.length === 0 ? '' : `: ${changes.map(({ path }) => path).join(', ')}`}`;
}

/** All tools of the last complete listing. A partial one would make the missing tools look new later. */
async function listedTools(session: RecordedSession): Promise<ToolDefinitions> {
  const listings = new ToolListings();
  for await (const call of callsOf(session)) listings.take(call);
  if (listings.complete !== undefined) return listings.complete;
  throw new ReelError('session-invalid', 'This session has no complete list of the server’s tools', {
    hint:
      listings.latest === undefined
        ? 'Record a session in which the client sends tools/list.'
        : 'Record a session in which the client requests every page of tools/list.',
  });
}

function showCommand(context: CommandEnvironment): Command {
  return new Command('show')
    .description('print the accepted tools')
    .argument('[server]', 'only this server')
    .option(...FILE_FLAG)
    .option('--json', 'print JSON Lines: one tool per line, then a summary')
    .addHelpText('after', examples(['mcpreel baseline show', 'mcpreel baseline show files --json']))
    .action((server: string | undefined, flags: BaselineFlags) => context.execute(runShow(server, flags, context)));
}

async function* runShow(server: string | undefined, flags: BaselineFlags, context: CommandEnvironment): CommandStep {
  const path = flags.baseline ?? defaultBaselinePath(context.stateFolder);
  const baseline = await requireBaseline(path, context);
  const shown = server === undefined ? [...baseline] : [[server, requireServer(baseline, server, path)] as const];
  if (flags.json) {
    for (const [label, { tools }] of shown) {
      for (const [tool, definition] of tools) {
        const about = `"server":${JSON.stringify(label)},"tool":${JSON.stringify(tool)}`;
        yield `{${about},"definition":${compact(definition)}}\n`;
      }
    }
    yield `${JSON.stringify({ summary: { baseline: path, servers: shown.map(summaryOf) } })}\n`;
    return;
  }
  if (shown.length === 0) yield { note: oneLine(`${path} is empty`) };
  for (const [label, accepted] of shown) {
    const { tools, session, recordedAt } = accepted;
    yield `${oneLine(`${label}: ${countOf(tools.size, 'tool')}, from session ${session}, recorded ${recordedAt}`)}\n`;
    for (const tool of tools.keys()) yield `  ${oneLine(tool)}\n`;
  }
}

function summaryOf([server, { session, recordedAt, tools }]: readonly [string, AcceptedTools]): object {
  return { server, session, recorded_at: recordedAt, tools: tools.size };
}

function resetCommand(context: CommandEnvironment): Command {
  return new Command('reset')
    .description('remove the accepted tools of a server')
    .argument('[server]', 'server name')
    .option('--all', 'remove the tools of all servers')
    .option(...FILE_FLAG)
    .option('--json', 'print JSON')
    .addHelpText('after', examples(['mcpreel baseline reset files', 'mcpreel baseline reset --all']))
    .action((server: string | undefined, flags: BaselineFlags & { all?: boolean }) =>
      context.execute(runReset(server, flags, context)),
    );
}

async function* runReset(
  server: string | undefined,
  flags: BaselineFlags & { readonly all?: boolean },
  context: CommandEnvironment,
): CommandStep {
  if (server === undefined && flags.all !== true) throw usage('No server given', 'Name one, or pass --all.');
  if (server !== undefined && flags.all === true) {
    throw usage(`A server, ${oneLine(server)}, and --all cannot be used together`, 'Remove one of them.');
  }
  const path = flags.baseline ?? defaultBaselinePath(context.stateFolder);
  const baseline = await requireBaseline(path, context);
  if (server !== undefined) requireServer(baseline, server, path);
  const gone = server === undefined ? [...baseline.keys()] : [server];
  await saveBaseline(path, new Map([...baseline].filter(([label]) => !gone.includes(label))), context);
  if (flags.json) yield `${JSON.stringify({ baseline: path, reset: gone })}\n`;
  else if (gone.length === 0) yield { note: oneLine(`No baseline to reset in ${path}`) };
  else yield `${oneLine(`Removed the tools of ${gone.map((name) => JSON.stringify(name)).join(', ')}`)}\n`;
}

function requireServer(baseline: Baseline, server: string, path: string): AcceptedTools {
  const accepted = baseline.get(server);
  if (accepted !== undefined) return accepted;
  const known = [...baseline.keys()].join(', ');
  throw new ReelError('session-not-found', `No server ${server} in ${path}`, {
    hint: known === '' ? 'The baseline is empty.' : `Known servers: ${known}.`,
  });
}
