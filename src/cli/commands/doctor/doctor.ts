import { Command } from 'commander';
import { InstallLedger } from '../../../install/ledger.ts';
import { sayingLeftOut } from '../../../model/shell-line.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { EXIT } from '../../exit-codes.ts';
import { placeOf } from '../install/configuration.ts';
import { inColour, type TableStyle, type TextColor, tableStyle } from '../shared/text-style.ts';
import { type CheckMark, checksOf, type DoctorCheck } from './doctor-check.ts';
import { checkClients } from './doctor-clients.ts';
import { checkFolder, foreignPlace } from './doctor-folder.ts';
import { checkJournals } from './doctor-journal.ts';
import { checkPermissions } from './doctor-permissions.ts';
import { checkSessions } from './doctor-sessions.ts';

export function doctorCommand(context: CommandEnvironment): Command {
  return new Command('doctor')
    .description('check your setup and suggest fixes (exit 3 on problems)')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(['mcpreel doctor', 'mcpreel doctor --json']))
    .action(({ json }: { json?: boolean }) => context.execute(runDoctor(json === true, context)));
}

async function* runDoctor(json: boolean, context: CommandEnvironment): CommandStep<number> {
  const checks = await allChecks(context);
  const wrong = countedBy(checks, 'wrong');
  if (json) yield `${JSON.stringify(asData(checks, context))}\n`;
  else {
    const style = tableStyle(context.terminal);
    for (const check of checks) yield `${lineOf(check, style)}\n`;
    yield `\n${verdictOf(wrong, countedBy(checks, 'note'))}\n`;
  }
  return wrong > 0 ? EXIT.doesNotHold : EXIT.done;
}

async function allChecks(context: CommandEnvironment): Promise<DoctorCheck[]> {
  const { stateFolder, node, platform, uid } = context;
  const folder = await checkFolder(stateFolder, platform);
  const isReported = countedBy(folder, 'wrong') > 0;
  return [
    checkNode(node.version, node.path),
    ...folder,
    ...(await checkPermissions(stateFolder, uid)),
    // What is in a folder that is not used belongs to another user.
    ...(foreignPlace(stateFolder) === undefined
      ? [...(await checkJournals(context)), ...(await checkSessions(context, isReported))]
      : []),
    ...(await checkClients(placeOf(context), new InstallLedger(stateFolder))),
  ];
}

const COLOURS: Readonly<Record<CheckMark, TextColor>> = { ok: 'green', note: 'yellow', wrong: 'red' };
const MARK_WIDTH = 7;

function lineOf({ mark, topic, what, mend: fix }: DoctorCheck, style: TableStyle): string {
  const begin = inColour(mark.padEnd(MARK_WIDTH), COLOURS[mark], style);
  const line = `${begin}${oneLine(`${topic}: ${what}`)}`;
  return fix === undefined ? line : `${line}\n${' '.repeat(MARK_WIDTH)}→ ${oneLine(sayingLeftOut(fix))}`;
}

function verdictOf(wrong: number, notes: number): string {
  const parts = [...(wrong > 0 ? [countOf(wrong, 'problem')] : []), ...(notes > 0 ? [countOf(notes, 'note')] : [])];
  const notesOnly = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  return wrong > 0 ? parts.join(', ') : `No problems${notesOnly}`;
}

function countedBy(checks: readonly DoctorCheck[], mark: CheckMark): number {
  return checks.filter((check) => check.mark === mark).length;
}

function asData(checks: readonly DoctorCheck[], { stateFolder, node, platform }: CommandEnvironment): object {
  return {
    version: __MCPREEL_VERSION__,
    node: node.version,
    platform,
    state_folder: stateFolder,
    checks,
    wrong: countedBy(checks, 'wrong'),
    notes: countedBy(checks, 'note'),
  };
}

/** The oldest Node.js version that mcpreel supports, as in package.json. */
export const OLDEST_NODE = '20.19.0';

const node = checksOf('node');

/** Checks whether this Node.js is new enough. */
export function checkNode(version: string, path: string): DoctorCheck {
  return isOlder(version, OLDEST_NODE)
    ? node.wrong(
        `Node ${version} (${path}) is older than ${OLDEST_NODE}`,
        'Install a newer version: https://nodejs.org/',
      )
    : node.ok(`Node ${version} (${path})`);
}

function isOlder(version: string, other: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number.parseFloat);
  const [otherMajor = 0, otherMinor = 0, otherPatch = 0] = other.split('.').map(Number);
  return (major - otherMajor || minor - otherMinor || patch - otherPatch) < 0;
}
