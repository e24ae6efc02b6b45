import type { JSX } from 'preact';

/** The sign for what is held. It is drawn, because not every system has a character for it. */
export function HeldGlyph(): JSX.Element {
  return <span class="held-glyph" aria-hidden="true" />;
}
