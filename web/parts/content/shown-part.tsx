import type { JSX } from 'preact';
import { BytesPart } from './bytes-part.tsx';
import type { ShownPart as Part } from './content-block.ts';
import { InertLink } from './inert-link.tsx';
import { LongText } from './long-text.tsx';

/** Renders a content part by its type. */
export function ShownPart({ part }: { readonly part: Part }): JSX.Element {
  switch (part.kind) {
    case 'text':
      return <LongText text={part.text} first={10_000} />;
    case 'bytes':
      return <BytesPart mimeType={part.mimeType} base64={part.base64} />;
    case 'link':
      return <InertLink uri={part.uri} />;
  }
}
