import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { pretty } from '../../../src/json/layout.ts';
import { type DiffLine, diffLines, withContext } from '../../../src/json/line-diff.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import type { Entry, MessageEntry } from '../../../src/model/entry.ts';
import type { EntryDetail, Placed } from '../../engine/entry-detail.ts';
import { copyText, NOT_COPIED } from '../../parts/clipboard.ts';
import { LongText } from '../../parts/content/long-text.tsx';
import { visible } from '../../parts/visible-text.ts';
import { usePage } from '../../state/page.ts';
import { saySize } from '../../state/times.ts';
import { bytesOf } from '../message-parts.ts';

/** The messages themselves, character by character, and how they came. */
export function RawTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { entry, key, request, answer } = detail;
  const shown = [request, answer].filter((one): one is Placed => one !== undefined);
  const isShown = shown.some((one) => one.key === key);
  return (
    <>
      {!isShown && <RawText title={titleOf(entry)} entry={entry} />}
      {request !== undefined && <RawText title={`Request #${request.entry.sequence}`} entry={request.entry} />}
      {answer !== undefined && <RawText title={`Answer #${answer.entry.sequence}`} entry={answer.entry} />}
    </>
  );
}

function titleOf(entry: Entry): string {
  return entry.kind === 'message' ? `Message #${entry.sequence}` : entry.kind === 'event' ? 'Event' : 'Record';
}

function RawText({ title, entry }: { readonly title: string; readonly entry: Entry }): JSX.Element {
  const page = usePage();
  const text =
    entry.kind === 'event' ? entry.raw : entry.kind === 'message' ? (entry.sentText ?? entry.text) : entry.text;
  const copy = async (): Promise<void> => {
    page.notice.value = (await copyText(text)) ? `Copied ${title}.` : NOT_COPIED;
  };
  const facts = [saySize(bytesOf(text)), ...(entry.kind === 'message' ? wayOf(entry) : [])];
  return (
    <section class="detail-section detail-raw">
      <h3>
        {title} <span class="detail-raw-facts">{visible(facts.join(' · '))}</span>
        <button type="button" class="link" onClick={() => void copy()}>
          Copy
        </button>
      </h3>
      {entry.kind === 'message' && <Changes entry={entry} />}
      <LongText text={text} first={100_000} />
    </section>
  );
}

/** What it came in, where that is more than a line. */
function wayOf({ http, sse, batch, conversation, sourceLine, proxyId }: MessageEntry): string[] {
  const exchange = http === undefined ? undefined : ObjectView.of(http)?.number('exchange');
  const event = sse === undefined ? undefined : ObjectView.of(sse);
  const part = batch === undefined ? undefined : ObjectView.of(batch);
  return [
    ...(exchange === undefined ? [] : [`HTTP exchange ${exchange}`]),
    ...(event === undefined ? [] : [`event ${event.string('id') ?? event.string('event') ?? 'without id'}`]),
    ...(part === undefined ? [] : [`${(part.number('index') ?? 0) + 1} of ${part.number('of') ?? '?'} in a batch`]),
    ...(conversation === undefined || conversation === 0 ? [] : [`conversation ${conversation}`]),
    ...(sourceLine === undefined ? [] : [`line ${sourceLine}`]),
    proxyId,
  ];
}

/** Longer texts are not laid out twice only to be compared. */
const LONGEST_COMPARED = 1 << 20;
const CONTEXT = 3;

function Changes({ entry }: { readonly entry: MessageEntry }): JSX.Element | null {
  const sent = entry.sentText ?? entry.text;
  const seen =
    entry.sentText === undefined ? (entry.modified ? entry.original : undefined) : (entry.original ?? entry.text);
  const lines = useMemo(() => (seen === undefined ? [] : changesIn(seen, sent)), [seen, sent]);
  if (seen === undefined) return null;
  return (
    <div class="detail-changes">
      <p class="part-note">what was seen (−) and what was sent (+)</p>
      {lines === undefined ? (
        <p class="part-note">too long to be compared</p>
      ) : (
        <pre>
          {lines.map(({ place, line }) => (
            <Change key={place} line={line} />
          ))}
        </pre>
      )}
    </div>
  );
}

interface ChangedLine {
  readonly place: number;
  /** Absent for what is left out. */
  readonly line: DiffLine | undefined;
}

function changesIn(seen: string, sent: string): ChangedLine[] | undefined {
  if (seen.length + sent.length > LONGEST_COMPARED) return undefined;
  const lines = withContext(diffLines(pretty(seen).split('\n'), pretty(sent).split('\n')), CONTEXT);
  return lines.map((line, place) => ({ place, line }));
}

const CHANGE_CLASSES = { '+': 'detail-change-in', '-': 'detail-change-out', ' ': 'detail-change-none' } as const;

function Change({ line }: { readonly line: DiffLine | undefined }): JSX.Element {
  if (line === undefined) return <div class="detail-change-none">⋮</div>;
  return <div class={CHANGE_CLASSES[line.mark]}>{`${line.mark} ${visible(line.text)}`}</div>;
}
