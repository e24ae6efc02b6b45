import type { JSX } from 'preact';
import { visible } from '../../../src/present/visible-text.ts';
import type { LiveNews } from '../../sources/served-live.ts';
import { newsWords } from './held-words.ts';

/** The outcomes of held messages, latest first. */
export function LiveNewsList({ news }: { readonly news: readonly LiveNews[] }): JSX.Element | null {
  if (news.length === 0) return null;
  return (
    <section class="live-news" aria-label="Decisions">
      <h2>Decisions</h2>
      <ol aria-live="polite">
        {news.map((one) => (
          <li key={`${one.session} ${one.id}`}>{visible(newsWords(one))}</li>
        ))}
      </ol>
    </section>
  );
}
