import { Option } from 'commander';
import { type CaptureFlagValues, TRANSPORTS } from './capture-flags.ts';
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
    new Option('--transport <kind>', 'how to reach the server').choices(TRANSPORTS),
    new Option('--target-command <command>', 'the server, as for a shell; or put it after --'),
    new Option('--target-url <url>', 'the server, if it is reached over HTTP'),
    new Option('--header <name: value>', 'a header for the server (repeat)').argParser(gather),
    new Option('--env <key=value>', 'a variable for the server (repeat)').argParser(gather),
    new Option('--cwd <folder>', 'where the server runs'),
    new Option('--ca <file>', 'trust the certificates in this file, and no others'),
    new Option('--insecure', 'accept any certificate'),
  ];
}

/** The same under the names that the recorder has for them. */
export function targetValues(flags: TargetFlags): CaptureFlagValues {
  return {
    transport: flags.transport,
    'target-command': flags.targetCommand,
    'target-url': flags.targetUrl,
    header: flags.header,
    env: flags.env,
    cwd: flags.cwd,
    ca: flags.ca,
    insecure: flags.insecure,
  };
}
