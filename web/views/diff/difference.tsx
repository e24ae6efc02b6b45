import type { JSX } from 'preact';
import { numberText } from '../../../src/model/message-number.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { DiffExcerpt } from '../../model/diff/diff-excerpt.ts';
import type { DiffChoice } from '../../model/diff/diff-facts.ts';
import type { DiffRow, MessageLink } from '../../model/diff/diff-rows.ts';
import type { IgnoreChoice } from '../../model/diff/diff-rules.ts';
import { usePage } from '../../state/page.ts';
import { changeChoice } from './diff-place.ts';

interface DifferenceProps {
  readonly row: DiffRow;
  readonly choice: DiffChoice;
}

const MARK_CLASSES = { '+': 'added', '-': 'removed', '~': 'changed' } as const;

/** One difference: its subject, its path and the values of both sides. */
export function Difference({ row, choice }: DifferenceProps): JSX.Element {
  const { mark, title, brief, what, isBreaking, path, a, b, messages, ignore, goesOn } = row;
  return (
    <li class={`difference ${MARK_CLASSES[mark]}${goesOn ? ' goes-on' : ''}`}>
      {!goesOn && (
        <p class="difference-head">
          <span class="difference-mark">{mark === '-' ? '−' : mark}</span>
          <span class="difference-title">{visible(title)}</span>
          {brief !== '' && <span class="difference-brief">{visible(brief)}</span>}
          {path === undefined && <span>{visible(what)}</span>}
          {isBreaking && <span class="difference-breaking">✕ breaking</span>}
          <Messages side="A" links={messages.a} />
          <Messages side="B" links={messages.b} />
        </p>
      )}
      {(path !== undefined || ignore.length > 0) && (
        <div class="difference-place">
          {path !== undefined && <code>{visible(path)}</code>}
          {path !== undefined && what !== '' && <span>{visible(what)}</span>}
          {ignore.length > 0 && <Ignore choices={ignore} choice={choice} />}
        </div>
      )}
      {a !== undefined && <Side mark="−" said="A has" excerpt={a} />}
      {b !== undefined && <Side mark="+" said="B has" excerpt={b} />}
    </li>
  );
}

function Messages({ side, links }: { readonly side: 'A' | 'B'; readonly links: readonly MessageLink[] }): JSX.Element {
  const page = usePage();
  return (
    <span class="difference-messages">
      {links.length > 0 && `${side} `}
      {links.map(({ key, sequence }) => (
        <button key={key} type="button" class="link" title="Show it in the timeline" onClick={() => page.show(key)}>
          {numberText(sequence)}
        </button>
      ))}
    </span>
  );
}

interface SideProps {
  readonly mark: '−' | '+';
  readonly said: string;
  readonly excerpt: DiffExcerpt;
}

function Side({ mark, said: sent, excerpt: { before, differs, after, isCut } }: SideProps): JSX.Element {
  return (
    <div class={mark === '+' ? 'side-text side-b' : 'side-text side-a'}>
      <span class="side-mark" aria-hidden="true">
        {mark}
      </span>
      <pre>
        <span class="unseen">{sent} </span>
        {visible(before)}
        {differs !== '' && (before !== '' || after !== '') ? <mark>{visible(differs)}</mark> : visible(differs)}
        {visible(after)}
        {isCut && <span class="side-cut"> … (truncated; open the message for the rest)</span>}
      </pre>
    </div>
  );
}

function Ignore({
  choices,
  choice,
}: {
  readonly choices: readonly IgnoreChoice[];
  readonly choice: DiffChoice;
}): JSX.Element {
  const page = usePage();
  return (
    <details class="ignore">
      <summary>Ignore this difference</summary>
      <ul>
        {choices.map(({ covers, rules }) => (
          <li key={rules.join()}>
            <button type="button" onClick={() => changeChoice(page, { rules: [...choice.rules, ...rules] })}>
              {visible(covers)} <code>{visible(rules.join(', '))}</code>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
