import { type DetectedSpan, RANK } from './detector.ts';
import { entropyOf, isUuid, isWordy } from './plausibility.ts';

/** Runs of characters that tokens consist of, and email addresses. Each character belongs to one match at most. */
const CANDIDATES =
  /[A-Za-z0-9_+/-]{20}[A-Za-z0-9_+/-]*={0,2}|[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}/g;
const MIN_ENTROPY = 3;
/** Only the beginning of a long run is looked at. */
const MAX_LOOK = 256;

/** Finds what may be a secret though nothing says so: random text of 20 characters or more, and email addresses. */
export function findSuspicious(text: string): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  for (const match of text.matchAll(CANDIDATES)) {
    const [run] = match;
    const isEmail = run.includes('@');
    if (!isEmail && !isRandom(run.slice(0, MAX_LOOK))) continue;
    const kind = isEmail ? 'email' : 'random-text';
    findings.push({ start: match.index, end: match.index + run.length, kind, rank: RANK.pattern });
  }
  return findings;
}

function isRandom(run: string): boolean {
  return /\d/.test(run) && /[A-Za-z]/.test(run) && entropyOf(run) >= MIN_ENTROPY && !isWordy(run) && !isUuid(run);
}
