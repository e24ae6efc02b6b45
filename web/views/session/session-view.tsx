import type { JSX } from 'preact';
import { LaneChoice, useChosenLane } from '../../parts/lane-choice.tsx';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { ChangedMessages } from './changed-messages.tsx';
import { Conversations } from './conversations.tsx';
import { Exchanges } from './exchanges.tsx';
import { FindingList } from './finding-list.tsx';
import { Gaps } from './session-gaps.tsx';
import { SessionHeadFacts } from './session-head-facts.tsx';

/** A summary of a whole session. */
export function SessionView(): JSX.Element {
  const page = usePage();
  const { lanes, version } = page.timeline.value;
  const lane = useChosenLane();
  const answer = useAnswer(async () => ({ lane, facts: await page.engine.sessionFacts(lane) }), [lane, version]);
  const facts = answer?.lane === lane ? answer.facts : undefined;
  return (
    <div class="session">
      {lanes.length > 1 && (
        <div class="view-tools">
          <LaneChoice lane={lane} />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <div class="session-scroll" tabIndex={0}>
        {facts === undefined ? (
          <p class="nothing">Loading…</p>
        ) : (
          <div class="session-page" key={lane}>
            <SessionHeadFacts facts={facts} lane={lane} />
            <Conversations conversations={facts.conversations} />
            <FindingList lane={lane} />
            {facts.changed.length > 0 && <ChangedMessages keys={facts.changed} />}
            {facts.gaps.length > 0 && <Gaps gaps={facts.gaps} />}
            {facts.exchanges > 0 && <Exchanges lane={lane} count={facts.exchanges} />}
          </div>
        )}
      </div>
    </div>
  );
}
