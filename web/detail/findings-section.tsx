import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Finding } from '../../src/analysis/findings/finding.ts';
import { SEVERITY_GLYPHS, SEVERITY_WORDS } from '../../src/present/glyphs.ts';
import { visible } from '../../src/present/visible-text.ts';
import type { EntryDetail } from '../model/entry-detail.ts';
import { InertLink } from '../parts/content/inert-link.tsx';
import { usePage } from '../state/page.ts';

const TONES = { error: 'error', warning: 'waiting', info: 'dim' } as const;

/** The findings about an entry, or about the call that it belongs to. */
export function FindingsSection({ detail }: { readonly detail: EntryDetail }): JSX.Element | null {
  const findings = useFindings(detail);
  if (findings.length === 0) return null;
  return (
    <section class="detail-section">
      <h3>Findings</h3>
      <ul class="detail-findings" aria-label="Findings">
        {findings.map(({ code, severity, message, spec, sequences }) => (
          <li key={`${code} ${sequences.join()} ${message}`} class="detail-finding">
            <span class={`finding-glyph tone-${TONES[severity]}`} role="img" aria-label={SEVERITY_WORDS[severity]}>
              {SEVERITY_GLYPHS[severity]}
            </span>
            <span>
              {visible(message)} <span class="finding-code">{code}</span>{' '}
              {spec !== undefined && <InertLink uri={spec} title="specification" />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useFindings({ key, answer }: EntryDetail): readonly Finding[] {
  const page = usePage();
  const [findings, setFindings] = useState<{ key: number; found: readonly Finding[] }>({ key: -1, found: [] });
  const isRead = page.timeline.value.lanes.every(({ state }) => state !== 'reading');
  useEffect(() => {
    let isRequested = true;
    void page.engine.findingsAbout(key).then((found) => isRequested && setFindings({ key, found }));
    return () => {
      isRequested = false;
    };
  }, [key, answer === undefined, isRead]);
  return findings.key === key ? findings.found : [];
}
