/** A filter term that matches only this name; stars and spaces in it are literal. */
export function nameFilter(field: 'tool' | 'method' | 'server', name: string): string {
  const isPlain = /^[\w./-]+$/.test(name);
  return `${field}:${isPlain ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`}`;
}
