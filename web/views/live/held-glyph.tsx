import type { JSX } from 'preact';

/** The icon for held messages. It is drawn, because not every system has a character for it. */
export function HeldGlyph(): JSX.Element {
  return <span class="held-glyph" aria-hidden="true" />;
}
