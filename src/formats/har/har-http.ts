import { elementTexts, ObjectView } from '../../json/object-view.ts';

/** A header in the form in which exchanges are recorded. */
export type HarHeaderPair = readonly [name: string, value: string];

/** Returns the headers of an archive's request or response. */
export function headersIn(message: ObjectView | undefined): HarHeaderPair[] {
  return (elementTexts(message?.textOf('headers') ?? '') ?? []).flatMap((text): HarHeaderPair[] => {
    const header = ObjectView.of(text);
    const name = header?.string('name');
    return name === undefined ? [] : [[name, header?.string('value') ?? '']];
  });
}

/** Returns the status of a response. null if there was no response, which archives write as 0. */
export function statusIn(response: ObjectView | undefined): number | null {
  return response?.number('status') || null;
}

/** Builds the URL of a path on a target. Returns `undefined` if the result is not a URL. */
export function addressOf(base: string, path: string): string | undefined {
  if (!URL.canParse(base)) return undefined;
  // Join as text: a path that begins with two slashes would replace the host.
  const address = `${new URL(base).origin}${path.startsWith('/') ? '' : '/'}${path}`;
  return URL.canParse(address) ? address : undefined;
}

/** Returns the path and query of a URL, exactly as written. */
export function pathIn(address: string): string {
  return address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}
