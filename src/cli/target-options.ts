import { Option } from 'commander';
import type { BridgeCaptureOptions } from '../capture/capture-options.ts';
import { stdioTargetFrom } from './capture-options.ts';
import { HTTP_FLAGS, httpTargetFrom, refuseFlags, STDIO_FLAGS, transportFrom } from './connection-options.ts';
import { gather } from './repeated.ts';

/** The flags that name a server to connect to. */
export interface TargetFlags {
  readonly transport?: string;
  readonly targetCommand?: string;
  readonly targetUrl?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly cwd?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
}

export function targetOptions(): Option[] {
  return [
    new Option('--transport <kind>', 'reach the server by stdio, sse or streamable-http'),
    new Option('--target-command <command>', 'the server, as for a shell; or put it after --'),
    new Option('--target-url <url>', 'the server, if it is reached over HTTP'),
    new Option('--header <name: value>', 'a header for the server (repeat)').argParser(gather),
    new Option('--env <key=value>', 'a variable for the server (repeat)').argParser(gather),
    new Option('--cwd <folder>', 'where the server runs'),
    new Option('--ca <file>', 'trust the certificates in this file, and no others'),
    new Option('--insecure', 'accept any certificate'),
  ];
}

/** The server that the flags, or the words after `--`, name. Anything else is a usage error. */
export function targetFrom(flags: TargetFlags, words: readonly string[]): BridgeCaptureOptions['target'] {
  const values = {
    transport: flags.transport,
    'target-command': flags.targetCommand,
    'target-url': flags.targetUrl,
    header: flags.header,
    env: flags.env,
    cwd: flags.cwd,
    ca: flags.ca,
    insecure: flags.insecure,
  };
  const transport = transportFrom(values, words);
  if (transport === 'stdio') {
    refuseFlags(values, HTTP_FLAGS, 'needs a server with an address', 'Give its --target-url, or leave it out.');
    return { transport, ...stdioTargetFrom(values, words) };
  }
  refuseFlags(values, STDIO_FLAGS, 'needs a server that is a program', 'Put its command after --, or leave it out.');
  return httpTargetFrom(values, words, transport);
}
