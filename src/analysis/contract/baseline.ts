import { pretty } from '../../json/layout.ts';
import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { ToolDefinitions } from './tool-listing.ts';

/** Reads and writes the file of accepted tool definitions, the baseline. */

/** The tools of one server that the user accepted. */
export interface AcceptedTools {
  /** The session that they were taken from. */
  readonly session: string;
  /** When that session was recorded. */
  readonly recordedAt: string;
  readonly tools: ToolDefinitions;
}

/** The accepted tools, by server label. */
export type Baseline = ReadonlyMap<string, AcceptedTools>;

const VERSION = 1;

/** Parses a baseline file. Throws if the text is not a baseline, or is one of a newer mcpreel. */
export function readBaseline(text: string, name: string): Baseline {
  const file = ObjectView.of(text);
  const version = file?.number('mcpreelBaseline');
  const servers = file?.object('servers');
  if (version === undefined || servers === undefined) {
    throw new ReelError('file-unreadable', `${name} is not a baseline`, {
      hint: 'Create one: mcpreel baseline accept session.json',
    });
  }
  if (version > VERSION) {
    throw new ReelError('file-unreadable', `${name} is a baseline of the unsupported version ${version}`, {
      hint: 'Update mcpreel.',
    });
  }
  return new Map(
    servers.members.map(({ key }) => {
      const server = servers.object(key);
      const session = server?.string('session') ?? '';
      const recordedAt = server?.string('recordedAt') ?? '';
      return [key, { session, recordedAt, tools: definitionsIn(server?.object('tools')) }];
    }),
  );
}

function definitionsIn(tools: ObjectView | undefined): ToolDefinitions {
  return new Map(tools?.members.map(({ key }) => [key, tools.textOf(key) ?? 'null']));
}

/** Formats a baseline file, with servers and tools sorted by name, so that versions of the file can be compared. */
export function writeBaseline(baseline: Baseline): string {
  const servers = inOrder(baseline).map(([label, { session, recordedAt, tools }]): [string, JsonText] => [
    label,
    objectText([
      ['session', JSON.stringify(session)],
      ['recordedAt', JSON.stringify(recordedAt)],
      ['tools', objectText(inOrder(tools))],
    ]),
  ]);
  const file = objectText([
    ['mcpreelBaseline', String(VERSION)],
    ['servers', objectText(servers)],
  ]);
  return `${pretty(file, '  ', '')}\n`;
}

/** Built as text: definitions stay exactly as the server sent them, and a name may be any string. */
function objectText(members: readonly (readonly [string, JsonText])[]): JsonText {
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

function inOrder<T>(named: ReadonlyMap<string, T>): [string, T][] {
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1));
}
