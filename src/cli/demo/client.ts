import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export interface DemoServer {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a short session with the demo server: three calls, one of which fails, and some progress notifications. */
export async function converse({ program, args, env }: DemoServer): Promise<void> {
  const client = new Client({ name: 'mcpreel-demo', version: __MCPREEL_VERSION__ });
  const transport = new StdioClientTransport({
    command: program,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
  });
  try {
    await client.connect(transport);
    await client.listTools();
    await client.callTool({ name: 'get_weather', arguments: { city: 'Oslo', day: 1 } });
    await client.callTool({ name: 'get_forecast', arguments: { days: 24 } }, { onprogress: () => undefined });
    await client.callTool({ name: 'get_alerts', arguments: { region: 'Atlantis' } });
  } finally {
    await client.close();
  }
}
