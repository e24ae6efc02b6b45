import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatSize } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import { bytesKind, decodeBase64, fileNameFor, safeType } from './bytes.ts';

interface BytesPartProps {
  readonly mimeType: string;
  readonly base64: string;
}

/** Shows base64 data as an image, a sound or a download. It never executes the data. */
export function BytesPart({ mimeType, base64 }: BytesPartProps): JSX.Element {
  const bytes = useMemo(() => decodeBase64(base64), [base64]);
  const url = useObjectUrl(bytes, safeType(mimeType));
  const [isBroken, setIsBroken] = useState(false);
  if (bytes === undefined) return <p class="part-note">not base64: the {formatSize(base64.length)} are in Raw</p>;
  const kind = isBroken ? 'other' : bytesKind(mimeType);
  return (
    <div class="part-bytes">
      {url !== undefined && kind === 'image' && (
        <img
          class="part-image"
          src={url}
          alt={`${visible(mimeType)} of ${formatSize(bytes.length)}`}
          onError={() => setIsBroken(true)}
        />
      )}
      {url !== undefined && kind === 'audio' && (
        // biome-ignore lint/a11y/useMediaCaption: media from a server has no captions
        <audio controls preload="metadata" src={url} aria-label={visible(mimeType)} onError={() => setIsBroken(true)} />
      )}
      <p class="part-note">
        {kind === 'other' ? (isBroken ? 'cannot be shown, ' : 'binary, ') : ''}
        {formatSize(bytes.length)}{' '}
        {url !== undefined && (
          <a class="button" href={url} download={fileNameFor(mimeType)}>
            Save
          </a>
        )}
      </p>
    </div>
  );
}

/** An object URL that lives as long as the component. */
function useObjectUrl(bytes: Uint8Array<ArrayBuffer> | undefined, type: string): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (bytes === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url;
}
