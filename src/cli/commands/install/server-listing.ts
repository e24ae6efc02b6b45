import type { ConfigChange } from '../../../install/plan-change.ts';
import { nameOf, type ServerEntry, wordsOf } from '../../../install/server-entry.ts';
import type { SurveyedEntry, SurveyedFile } from '../../../install/survey.ts';
import { readWrapping } from '../../../install/wrapping.ts';
import { sayingLeftOut, shellLine } from '../../../model/shell-line.ts';
import { oneLine } from '../../../present/visible-text.ts';

/** The file, then one line per server, marked if it would change. */
export function listing(
  { file, entries }: SurveyedFile,
  changing: readonly ServerEntry[],
  mark: '+' | '-',
  platform: string,
): string {
  const lines = entries.map(
    (surveyed) =>
      `  ${changing.includes(surveyed.entry) ? mark : ' '} ${titleOf(surveyed.entry)}: ${factsOf(surveyed, platform, mark === '-' && changing.includes(surveyed.entry))}`,
  );
  return [`${file.client.title}: ${file.path}`, ...lines].map(oneLine).join('\n');
}

/** The removed and added lines of a change, as in a patch. */
export function diff({ file, hunks }: ConfigChange): string {
  const lines = hunks.flatMap(({ path, line, removed, added }) => [
    `@@ line ${line}: ${titleOf({ path })} @@`,
    ...removed.map((text) => `-${text}`),
    ...added.map((text) => `+${text}`),
  ]);
  return [`--- ${file.path}`, `+++ ${file.path}`, ...lines].map(shownLine).join('\n');
}

/** The listing as data for `--json`. */
export function listingData({ file, entries }: SurveyedFile, changing: readonly ServerEntry[]): object {
  return {
    client: file.client.id,
    file: file.path,
    servers: entries.map(({ entry, state }) => ({
      name: nameOf(entry),
      project: projectOf(entry),
      state,
      changes: changing.includes(entry),
      ...(entry.kind === 'stdio' && { command: wordsOf(entry) }),
      ...(entry.kind === 'http' && { url: entry.url, record_with: recordCommand(entry) }),
      ...(entry.kind === 'other' && { reason: entry.reason }),
    })),
  };
}

function titleOf({ path }: Pick<ServerEntry, 'path'>): string {
  const project = projectOf({ path });
  return `${path.at(-1)}${project === undefined ? '' : ` (${project})`}`;
}

function factsOf(surveyed: SurveyedEntry, platform: string, isUnwrapped = false): string {
  return sayingLeftOut(wordedFacts(surveyed, platform, isUnwrapped));
}

function wordedFacts({ entry, state }: SurveyedEntry, platform: string, isUnwrapped: boolean): string {
  switch (entry.kind) {
    case 'http':
      return `not changed (HTTP). Record it with: ${shellLine(recordCommand(entry), platform)}`;
    case 'other':
      return `skipped: ${entry.reason}`;
    case 'stdio': {
      const words = wordsOf(entry);
      if (state === 'wrapped') {
        const own = shellLine(words.slice(readWrapping(words)?.serverAt), platform);
        return isUnwrapped ? own : `wrapped, ${own}`;
      }
      return `${state === 'by-hand' ? 'runs mcpreel, configured by hand, ' : ''}${shellLine(words, platform)}`;
    }
  }
}

function recordCommand({ transport, url }: ServerEntry & { kind: 'http' }): string[] {
  return ['mcpreel', 'record', '--transport', transport, '--target-url', url];
}

/** The project of an entry, if the file has several. */
function projectOf({ path }: Pick<ServerEntry, 'path'>): string | undefined {
  return path.length > 2 ? path[1] : undefined;
}

/** Many files are indented with tabs, which are harmless within a line. */
function shownLine(text: string): string {
  return text.split('\t').map(oneLine).join('\t');
}
