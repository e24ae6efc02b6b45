import { type DetectedSpan, RANK } from '../detect/detector.ts';
import { isLiteral } from '../detect/plausibility.ts';

/** Longer manifests are looked at in part. */
const MAX_MANIFEST = 1 << 16;
const MAX_BEFORE = 1 << 12;

const KIND = /kind["']?:[ \t]{0,4}["']?Secret["']?[ \t]{0,8}(?:\r?\n|$)/y;

/** The offset up to which `secretsInManifest` has looked. */
export interface ManifestProgress {
  end: number;
}

/**
 * Finds the values of a Kubernetes `Secret` in YAML, given the offset of `kind`. Each value under `data` and `stringData`
 * is a secret, whatever its name.
 */
export function secretsInManifest(text: string, at: number, progress: ManifestProgress): DetectedSpan[] {
  KIND.lastIndex = at;
  if (at < progress.end || !KIND.test(text)) return [];
  const from = Math.max(progress.end, at - MAX_BEFORE);
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const boundary = boundaryBefore(Math.min(MAX_INDENT, at - lineStart));
  const before = [...text.slice(from, at).matchAll(boundary)].at(-1)?.index;
  const start = before === undefined ? from : from + before;
  const marker = text.slice(at, at + MAX_MANIFEST).search(boundary);
  const end = marker < 0 ? Math.min(text.length, at + MAX_MANIFEST) : at + marker;
  progress.end = end;
  return valuesIn(text, start, end);
}

/** Deeper manifests are not told apart. */
const MAX_INDENT = 16;

/** Matches where a document begins, or an element of a list, given the column of one of its fields. */
function boundaryBefore(column: number): RegExp {
  return column < 2 ? /\n---/g : new RegExp(`\\n(?:---|[ ]{0,${column - 2}}- )`, 'g');
}

function valuesIn(text: string, start: number, end: number): DetectedSpan[] {
  const found: DetectedSpan[] = [];
  let indent = -1;
  let lineStart = start;
  for (const line of text.slice(start, end).split('\n')) {
    const section = /^(\s*)(?:string)?[dD]ata:\s*$/.exec(line);
    const depth = line.search(/\S/);
    if (section !== null) indent = section[1]?.length ?? 0;
    else if (depth >= 0 && depth <= indent) indent = -1;
    const value =
      indent >= 0 && depth > indent
        ? /^\s*["']?[\w.-]+["']?:\s*["']?([^\s"'#|>][^\s"']*)|^\s+([A-Za-z0-9+/=]{16,})\s*$/d.exec(line)
        : null;
    const [from, to] = value?.indices?.[1] ?? value?.indices?.[2] ?? [0, 0];
    if (to > from && isLiteral(line.slice(from, to))) {
      found.push({ start: lineStart + from, end: lineStart + to, kind: 'kubernetes-secret', rank: RANK.context });
    }
    lineStart += line.length + 1;
  }
  return found;
}
