import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../src/present/visible-text.ts';

interface InertLinkProps {
  readonly uri: string;
  /** The text of the link (default: the address). */
  readonly title?: string | undefined;
}

/** A link from recorded data. The first click shows its address; only then can the user follow it. */
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
            <>not a web address: {visible(uri)}</>
          ) : (
            <>
              opens <code>{visible(target)}</code>{' '}
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

/** The normalized address, if it is HTTP or HTTPS. */
export function webAddress(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, href } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
