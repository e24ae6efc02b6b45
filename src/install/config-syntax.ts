import type { InstallClient } from './client.ts';
import { jsonc } from './jsonc-config.ts';
import type { ConfigDocument, ConfigSyntax } from './server-entry.ts';
import { toml } from './toml-config.ts';

const SYNTAXES: Readonly<Record<InstallClient['syntax'], ConfigSyntax>> = { jsonc, toml };

export function syntaxOf(client: InstallClient): ConfigSyntax {
  return SYNTAXES[client.syntax];
}

/** Reads a config file as its client would. */
export function readConfig(client: InstallClient, text: string): ConfigDocument {
  return syntaxOf(client).read(text, client.maps);
}
