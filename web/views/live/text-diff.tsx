import type { JSX } from 'preact';
import { diffLines, withContext } from '../../../src/json/line-diff.ts';
import { ChangedLines } from '../../parts/changed-lines.tsx';

const CONTEXT = 2;

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
}

/** A line diff of two texts. */
export function TextDiff({ before, after }: TextDiffProps): JSX.Element {
  return <ChangedLines lines={withContext(diffLines(before.split('\n'), after.split('\n')), CONTEXT)} />;
}
