/** A term of a filter that fits this name alone: stars and spaces in it are part of it. */
export function nameFilter(field: 'tool' | 'method' | 'server', name: string): string {
  const isPlain = /^[\w./-]+$/.test(name);
  return `${field}:${isPlain ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`}`;
}
