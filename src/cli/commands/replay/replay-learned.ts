import { replaceFile } from '../../../files/replace-file.ts';
import type { CommandStep } from '../../command-run.ts';
import { oneLine } from '../../output.ts';
import { readIgnoreText } from '../diff/comparing.ts';
import { countOf } from '../shared/counting.ts';

/** Adds rules to the file of places to ignore, or prints them where there is none. */
export async function* keepLearned(rules: readonly string[], path: string | undefined): CommandStep {
  if (path === undefined) {
    for (const rule of rules) yield `ignore ${oneLine(rule)}\n`;
    return;
  }
  const before = await readIgnoreText(path, true);
  const known = new Set(before?.split('\n').map((line) => line.trim()));
  const added = rules.filter((rule) => !known.has(rule));
  // Even if there is nothing to write: the next replay is going to name the file.
  if (added.length > 0 || before === undefined) {
    const start = before === undefined || before === '' || before.endsWith('\n') ? (before ?? '') : `${before}\n`;
    await replaceFile(path, [start, ...added.map((rule) => `${rule}\n`)]);
  }
  yield { note: `Learned ${countOf(added.length, 'rule')}, now in ${oneLine(path)}` };
}
