import type { InstallClient, InstallPlace } from './client.ts';
import { clients } from './clients.ts';
import { type ConfigCandidate, type ConfigFile, candidatesOf, type FileProblem, findConfigs } from './config-file.ts';
import type { WrapRecord } from './entry-edit.ts';
import { type EntryState, stateOf } from './entry-state.ts';
import type { FileRecord, InstallLedger } from './ledger.ts';
import { asOneCommand, nameOf, type ServerEntry, type StdioEntry } from './server-entry.ts';

/** The clients and servers to process. An empty list selects all. */
export interface EntrySelection {
  readonly clients: readonly string[];
  readonly servers: readonly string[];
  /** Whether to include files that were wrapped before, wherever they are. */
  readonly elsewhere: boolean;
}

export interface SurveyedEntry {
  readonly entry: ServerEntry;
  readonly state: EntryState;
}

/** A config file with its record and the state of its entries. */
export interface SurveyedFile {
  readonly file: ConfigFile;
  readonly record: FileRecord | undefined;
  readonly entries: readonly SurveyedEntry[];
}

export interface InstallSurvey {
  readonly files: readonly SurveyedFile[];
  readonly problems: readonly FileProblem[];
  /** Records of files that no longer exist. */
  readonly lost: readonly FileRecord[];
}

/** Reads the clients' configuration on this machine. */
export async function survey(
  place: InstallPlace,
  ledger: InstallLedger,
  selection: EntrySelection,
): Promise<InstallSurvey> {
  const chosen = clients.filter(({ id }) => selection.clients.length === 0 || selection.clients.includes(id));
  const records = (await ledger.all()).filter(({ client }) => chosen.some(({ id }) => id === client));
  const elsewhere = selection.elsewhere ? recorded(records, chosen) : [];
  const { files, problems } = await findConfigs([...candidatesOf(chosen, place), ...elsewhere]);
  const surveyed = files.map((file) => {
    const record = records.find(({ realPath }) => realPath === file.realPath);
    return { file, record, entries: entriesOf(file, record?.entries ?? [], selection) };
  });
  const known = new Set([...files.map(({ realPath }) => realPath), ...problems.map(({ path }) => path)]);
  return {
    files: surveyed.filter(({ entries }) => entries.length > 0),
    problems,
    lost: records.filter(({ path, realPath }) => selection.elsewhere && !known.has(realPath) && !known.has(path)),
  };
}

/** Returns the stdio entries of a file that are in the given state. */
export function entriesIn({ entries }: SurveyedFile, state: EntryState): StdioEntry[] {
  return entries
    .filter((surveyed) => surveyed.state === state)
    .map(({ entry }) => entry)
    .filter((entry) => entry.kind === 'stdio');
}

function entriesOf(file: ConfigFile, records: readonly WrapRecord[], { servers }: EntrySelection): SurveyedEntry[] {
  return file.entries
    .filter((entry) => servers.length === 0 || servers.includes(nameOf(entry)))
    .map((entry) => surveyedEntry(entry, stateOf(entry, records)));
}

/** Whether an entry that nothing wraps yet can be: mcpreel cannot run a command line in one word, as a shell can. */
function surveyedEntry(entry: ServerEntry, state: EntryState): SurveyedEntry {
  const line = state === 'plain' && entry.kind === 'stdio' ? asOneCommand(entry) : undefined;
  return line === undefined ? { entry, state } : { entry: line, state: line.kind };
}

function recorded(records: readonly FileRecord[], chosen: readonly InstallClient[]): ConfigCandidate[] {
  return records.flatMap(({ client: id, path }) => {
    const client = chosen.find((one) => one.id === id);
    return client === undefined ? [] : [{ client, path }];
  });
}
