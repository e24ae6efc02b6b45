import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { InstallPlace } from '../../../install/client.ts';
import type { InstallLedger } from '../../../install/ledger.ts';
import { nameOf, type StdioEntry, wordsOf } from '../../../install/server-entry.ts';
import { type SurveyedFile, survey } from '../../../install/survey.ts';
import { readWrapping } from '../../../install/wrapping.ts';
import { shellLine } from '../../../model/shell-line.ts';
import { countOf } from '../../../present/figures.ts';
import { checksOf, type DoctorCheck } from './doctor-check.ts';

const { ok, note, wrong } = checksOf('clients');

/** Checks which servers in the clients' configuration are recorded, and whether the programs they name exist. */
export async function checkClients(place: InstallPlace, ledger: InstallLedger): Promise<DoctorCheck[]> {
  const { files, problems, lost } = await survey(place, ledger, { clients: [], servers: [], elsewhere: true });
  const checks = [
    ...problems.map(({ path, what }) => wrong(`cannot read ${path}: ${what}`, 'Correct that place in the file.')),
    ...lost.map(({ path }) =>
      note(`${path} had wrapped servers and no longer exists`, 'Remove it from the list: mcpreel uninstall --yes'),
    ),
  ];
  let plain = 0;
  for (const file of files) {
    checks.push(...(await checkFile(file, place)));
    plain += file.entries.filter(({ state }) => state === 'plain').length;
  }
  if (plain > 0) checks.push(note(`${countOf(plain, 'server')} not wrapped`, 'List them: mcpreel install --dry-run'));
  if (checks.length === 0) checks.push(note('no MCP client on this machine has servers to record'));
  return checks;
}

async function checkFile(surveyed: SurveyedFile, place: InstallPlace): Promise<DoctorCheck[]> {
  const { file, entries } = surveyed;
  const checks: DoctorCheck[] = [];
  for (const { entry, state } of entries) {
    if (entry.kind !== 'stdio' || (state !== 'wrapped' && state !== 'by-hand')) continue;
    const name = `${file.client.title}: ${nameOf(entry)}`;
    const missing = await missingOf(entry, place);
    if (missing === undefined) checks.push(ok(`${name} is wrapped`));
    else checks.push(missingCheck(missing, name, surveyed, entry, state === 'wrapped', place.platform));
  }
  return checks;
}

interface MissingProgram {
  readonly word: string;
  /** Whether it is the server's own program, not the recorder. */
  readonly isServer: boolean;
}

/** The first program that a wrapped server needs and that does not exist. */
async function missingOf(entry: StdioEntry, place: InstallPlace): Promise<MissingProgram | undefined> {
  const words = wordsOf(entry);
  const { serverAt } = readWrapping(words) ?? {};
  const [program = '', script = ''] = words;
  if (!(await canRun(program, place))) return { word: program, isServer: false };
  if (isAbsolute(script) && !(await isThere(script, constants.R_OK))) return { word: script, isServer: false };
  const server = serverAt === undefined ? undefined : words[serverAt];
  if (server !== undefined && !(await canRun(server, place))) return { word: server, isServer: true };
  return undefined;
}

function missingCheck(
  { word, isServer }: MissingProgram,
  name: string,
  { file }: SurveyedFile,
  entry: StdioEntry,
  isOurs: boolean,
  platform: string,
): DoctorCheck {
  const what = `${name} needs ${word}, which was not found`;
  // A client that was not started from a terminal may have another PATH.
  if (isServer && !isAbsolute(word)) return note(what, `Check its command in ${file.path}`);
  if (isServer || !isOurs) return wrong(what, `Fix its command in ${file.path}`);
  const choice = shellLine(['--client', file.client.id, '--server', nameOf(entry), '--yes'], platform);
  return wrong(what, `mcpreel uninstall ${choice} && mcpreel install ${choice}`);
}

/** Whether a program can be found. A name that only the client can resolve counts as found. */
async function canRun(program: string, { env, platform }: InstallPlace): Promise<boolean> {
  if (isAbsolute(program)) return isThere(program, constants.X_OK);
  if (/[\\/$%~]/.test(program) || program === '') return true;
  const endings = platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    for (const ending of endings) if (await isThere(join(folder, program + ending), constants.X_OK)) return true;
  }
  return false;
}

async function isThere(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
