export function sourcesIn(folder: string, extensions?: readonly string[], base?: string): string[];
