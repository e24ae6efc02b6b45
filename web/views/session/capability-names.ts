/** A short form of announced capabilities: `tools listChanged, prompts, logging`. */
export function capabilityNames(text: string): string {
  const capabilities = objectIn(text);
  if (capabilities === undefined) return text;
  const names = Object.entries(capabilities).map(([name, value]) => [name, ...yesIn(value)].join(' '));
  return names.length === 0 ? 'none' : names.join(', ');
}

/** The name and version of an implementation: `everything 1.2.3`. */
export function implementationName(text: string): string {
  const { name, title, version } = objectIn(text) ?? {};
  const sent = [title ?? name, title === undefined || title === name ? undefined : `(${String(name)})`, version];
  return sent.flatMap((part) => (typeof part === 'string' ? [part] : [])).join(' ') || text;
}

/** The members of a capability that are present and not false. */
function yesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return value === false ? ['(off)'] : [];
  return Object.entries(value).flatMap(([name, is]) => (is === false || is === null ? [] : [name]));
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
