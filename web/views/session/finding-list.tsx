import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Finding, Severity } from '../../../src/analysis/findings/finding.ts';
import { numberText } from '../../../src/model/message-number.ts';
import { SEVERITY_GLYPHS, SEVERITY_WORDS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { formatCount } from '../../state/times.ts';
import { Part } from './fact-list.tsx';

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];
const AT_ONCE = 100;

/** The findings about a session, most severe first. */
export function FindingList({ lane }: { readonly lane: number }): JSX.Element {
  const page = usePage();
  const [only, setOnly] = useState<Severity | undefined>(undefined);
  const [max, setMost] = useState(AT_ONCE);
  const found = useAnswer(() => page.engine.findings(lane), [lane, page.timeline.value.version]);
  const findings = SEVERITIES.flatMap((severity) =>
    only !== undefined && only !== severity ? [] : (found ?? []).filter((finding) => finding.severity === severity),
  );
  return (
    <Part
      title="Findings"
      aside={found === undefined ? 'looking…' : found.length === 0 ? 'none' : formatCount(found.length)}
    >
      {found !== undefined && found.length > 0 && (
        <fieldset class="switch">
          <legend class="unseen">Severity</legend>
          <button type="button" aria-pressed={only === undefined} onClick={() => setOnly(undefined)}>
            All
          </button>
          {SEVERITIES.map((severity) => {
            const count = found.filter((finding) => finding.severity === severity).length;
            return count === 0 ? null : (
              <button
                key={severity}
                type="button"
                class={`severity-${severity}`}
                aria-pressed={only === severity}
                onClick={() => setOnly(severity)}
              >
                {SEVERITY_GLYPHS[severity]} {SEVERITY_WORDS[severity]} {formatCount(count)}
              </button>
            );
          })}
        </fieldset>
      )}
      <ul class="findings">
        {findings.slice(0, max).map((finding, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings are only appended, and two may be equal
          <FindingItem key={place} finding={finding} lane={lane} />
        ))}
      </ul>
      {findings.length > max && (
        <button type="button" class="button" onClick={() => setMost(max * 4)}>
          Show more of {formatCount(findings.length)}
        </button>
      )}
    </Part>
  );
}

/** The maximum number of linked messages; further ones are only counted. */
const MAX_JUMPS = 6;

function FindingItem({ finding, lane }: { readonly finding: Finding; readonly lane: number }): JSX.Element {
  const page = usePage();
  const { severity, message, code, sequences, at, spec } = finding;
  const jump = async (to: Parameters<typeof page.engine.keyAt>[1]): Promise<void> => {
    const key = await page.engine.keyAt(lane, to);
    if (key !== undefined) page.show(key);
  };
  return (
    <li class="finding">
      <span class={`finding-severity severity-${severity}`}>
        {SEVERITY_GLYPHS[severity]} {SEVERITY_WORDS[severity]}
      </span>
      <span class="finding-words">
        {visible(message)}
        <span class="hint">
          <code>{code}</code>
          {spec !== undefined && (
            <a href={spec} target="_blank" rel="noopener noreferrer" title={spec}>
              {spec.replace(/^https:\/\/modelcontextprotocol\.io\//, '')}
            </a>
          )}
        </span>
      </span>
      <span class="finding-jumps">
        {sequences.slice(0, MAX_JUMPS).map((sequence) => (
          <button key={sequence} type="button" class="link" onClick={() => void jump(sequence)}>
            {numberText(sequence)}
          </button>
        ))}
        {sequences.length > MAX_JUMPS && <span class="hint">and {formatCount(sequences.length - MAX_JUMPS)} more</span>}
        {at !== undefined && (
          <button type="button" class="link" onClick={() => void jump({ atMs: at.atMs, event: at.event })}>
            {visible(at.event)}
          </button>
        )}
      </span>
    </li>
  );
}
