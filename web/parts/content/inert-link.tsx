import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../visible-text.ts';

interface InertLinkProps {
  readonly uri: string;
  /** What it says, if not the address itself. */
  readonly title?: string | undefined;
}

/** An address from somewhere else. A click shows where it leads, and only then it can be followed. */
export function InertLink({ uri, title }: InertLinkProps): JSX.Element {
  const [isShown, setIsShown] = useState(false);
  const target = isShown ? webAddress(uri) : undefined;
  return (
    <span class="inert-link">
      <button type="button" class="link" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {visible(title ?? uri)}
      </button>
      {isShown && (
        <span class="inert-target">
          {target === undefined ? (
            <>leads nowhere on the web: {visible(uri)}</>
          ) : (
            <>
              leads to <code>{visible(target)}</code>{' '}
              <a href={target} target="_blank" rel="noreferrer noopener">
                open in a new tab
              </a>
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** The address as a browser would take it, if it is one of the web. */
export function webAddress(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, href } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
