/**
 * Formats a message as an event of an event stream. A line break in a message is white space between tokens, so its
 * kind does not matter.
 */
export function eventText(event: string, data: string, id?: string | undefined): string {
  const lines = /[\r\n]/.test(data) ? data.split(/\r\n|\r|\n/) : [data];
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\n${idLine}${lines.map((line) => `data: ${line}\n`).join('')}\n`;
}
