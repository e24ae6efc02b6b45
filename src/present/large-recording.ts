import { sayingLeftOut, shellLine } from '../model/shell-line.ts';
import { formatSize } from './figures.ts';

/** Above this size, reading a recording takes so long that a part of it may be the better choice. */
export const LARGE_RECORDING: number = 1 << 30;

/** How the page opens a recording that takes long to read, and how to open a part; `undefined` for a smaller one. */
export function largeRecordingNote(name: string, bytes: number): string | undefined {
  if (bytes <= LARGE_RECORDING) return undefined;
  const command = shellLine(
    ['mcpreel', 'export', name, '-f', 'trace', '--filter', 'tool:search', '-o', 'part.jsonl'],
    'linux',
  );
  return sayingLeftOut(
    `${name} has ${formatSize(bytes)}. The page reads all of it once to list its messages, and their texts again when it shows or filters them, so both take a while. To open a part of it: ${command}`,
  );
}
