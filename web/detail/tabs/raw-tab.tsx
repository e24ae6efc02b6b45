import type { JSX } from 'preact';
import { exchangeIn } from '../../../src/analysis/calls/call-reply.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import { utf8Length } from '../../../src/json/utf8-length.ts';
import { type Entry, exactText, type MessageEntry } from '../../../src/model/entry.ts';
import { numberText } from '../../../src/model/message-number.ts';
import { formatSize } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { EntryDetail, PlacedMessage } from '../../model/entry-detail.ts';
import { copyText } from '../../parts/clipboard.ts';
import { LongText } from '../../parts/content/long-text.tsx';
import { MessageChange } from '../../parts/message-change.tsx';
import { usePage } from '../../state/page.ts';

/** Shows the exact text of the messages, and how they arrived. */
export function RawTab({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { entry, key, request, answer } = detail;
  const shown = [request, answer].filter((one): one is PlacedMessage => one !== undefined);
  const isShown = shown.some((one) => one.key === key);
  return (
    <>
      {!isShown && <RawText title={titleOf(entry)} of={{ key, entry }} />}
      {request !== undefined && <RawText title={`Request ${numberText(request.entry.sequence)}`} of={request} />}
      {answer !== undefined && <RawText title={`Response ${numberText(answer.entry.sequence)}`} of={answer} />}
    </>
  );
}

function titleOf(entry: Entry): string {
  return entry.kind === 'message'
    ? `Message ${numberText(entry.sequence)}`
    : entry.kind === 'event'
      ? 'Event'
      : 'Record';
}

function RawText({ title, of }: { readonly title: string; readonly of: PlacedMessage<Entry> }): JSX.Element {
  const page = usePage();
  const { key, entry } = of;
  const text = exactText(entry);
  const copy = async (): Promise<void> => {
    page.notice.value = await copyText(text, `Copied ${title}.`);
  };
  const facts = [formatSize(utf8Length(text)), ...(entry.kind === 'message' ? wayOf(entry) : [])];
  return (
    <section class="detail-section detail-raw">
      <h3>
        {title} <span class="detail-raw-facts">{visible(facts.join(' · '))}</span>
        <button type="button" class="link" onClick={() => void copy()}>
          Copy
        </button>
      </h3>
      <MessageChange of={key} />
      <LongText text={text} first={100_000} />
    </section>
  );
}

/** How a message arrived, if not as a plain line. */
function wayOf({ http, sse, batch, conversation, sourceLine, proxyId }: MessageEntry): string[] {
  const exchange = exchangeIn(http);
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
