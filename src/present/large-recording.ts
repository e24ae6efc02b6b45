import { shellLine } from '../model/shell-line.ts';
import { formatSize } from './figures.ts';

/** How much text of one recording the page keeps in memory. A browser gives a worker about four times as much. */
export const MAX_PAGE_TEXT: number = 1 << 30;

/** What the page can show of a recording that is too large for it, and how to open a part; `undefined` if it fits. */
export function largeRecordingNote(name: string, bytes: number): string | undefined {
  if (bytes <= MAX_PAGE_TEXT) return undefined;
  const kept = formatSize(MAX_PAGE_TEXT);
  const command = shellLine(
    ['mcpreel', 'export', name, '-f', 'trace', '--filter', 'tool:search', '-o', 'part.jsonl'],
    'linux',
  );
  return `${name} has ${formatSize(bytes)}. The page keeps the text of its last ${kept}: earlier messages are listed, but without payloads, and are not searched. To open a part of it: ${command}`;
}
