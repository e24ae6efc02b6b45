/** Returns the line break and indentation before `at`, if nothing else precedes it on its line. */
export function lineLead(text: string, at: number): string | undefined {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const indent = text.slice(lineStart, at);
  return lineStart > 0 && /^[ \t]*$/.test(indent) ? lineBreakBefore(text, lineStart) + indent : undefined;
}

/** Returns the line break that the file uses: the nearest one before `at`, otherwise the first one. */
export function lineBreakBefore(text: string, at: number): string {
  const near = text.lastIndexOf('\n', at - 1);
  const index = near < 0 ? text.indexOf('\n') : near;
  return text.charAt(index - 1) === '\r' ? '\r\n' : '\n';
}

/** Returns the end of the line that contains `at`, before its line break. */
export function lineEnd(text: string, at: number): number {
  const next = text.indexOf('\n', at);
  if (next < 0) return text.length;
  return text.charAt(next - 1) === '\r' ? next - 1 : next;
}

/** Returns the number of the line that contains `at`, counting from 1. */
export function lineNumber(text: string, at: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
  return line;
}
