const MAX_SHOWN = 80;

/** A header as error messages show it: printable and short, because whoever sent it chose its value. */
export function shownHeader(name: string, value: string): string {
  const shown = value.replaceAll(/[^\x20-\x7e]|["\\]/g, '?');
  return `${name} "${shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown}"`;
}
