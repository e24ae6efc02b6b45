import { elementTexts, ObjectView } from '../../json/object-view.ts';

/** A header as exchanges are recorded. */
export type HarHeaderPair = readonly [name: string, value: string];

/** The headers of a request or response of an archive. */
export function headersIn(message: ObjectView | undefined): HarHeaderPair[] {
  return (elementTexts(message?.textOf('headers') ?? '') ?? []).flatMap((text): HarHeaderPair[] => {
    const header = ObjectView.of(text);
    const name = header?.string('name');
    return name === undefined ? [] : [[name, header?.string('value') ?? '']];
  });
}

/** The status of a response, or null where there was no answer, which archives write as 0. */
export function statusIn(response: ObjectView | undefined): number | null {
  return response?.number('status') || null;
}

/** The address of a path of a target; `undefined` where the two make none. */
export function addressOf(base: string, path: string): string | undefined {
  if (!URL.canParse(base)) return undefined;
  // Joined as text: a path that begins with two slashes would take the place of the host.
  const address = `${new URL(base).origin}${path.startsWith('/') ? '' : '/'}${path}`;
  return URL.canParse(address) ? address : undefined;
}

/** The path and query of an address, as they stand in it. */
export function pathIn(address: string): string {
  return address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}
