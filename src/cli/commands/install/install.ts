import { Command } from 'commander';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { gather } from '../../flags/repeated.ts';
import type { InstallFlags } from './configuration.ts';

export function installCommand(context: CommandEnvironment): Command {
  return configurationCommand('install', 'wrap')
    .description('wrap the MCP servers in your clients’ configuration')
    .argument('[flags...]', 'options of mcpreel record for these servers, after --')
    .addHelpText(
      'after',
      examples([
        'mcpreel install --dry-run',
        'mcpreel install --client cursor --server files --yes',
        'mcpreel install -- --max-bytes 64M --max-files 4',
      ]),
    )
    .action(async (words: string[], flags: InstallFlags) => {
      const { runInstall } = await import('./wrap-servers.ts');
      await context.execute(runInstall(words, flags, context));
    });
}

export function uninstallCommand(context: CommandEnvironment): Command {
  return configurationCommand('uninstall', 'unwrap')
    .description('undo install')
    .addHelpText('after', examples(['mcpreel uninstall --dry-run', 'mcpreel uninstall --client codex --yes']))
    .action(async (flags: InstallFlags) => {
      const { runUninstall } = await import('./unwrap-servers.ts');
      await context.execute(runUninstall(flags, context));
    });
}

function configurationCommand(name: string, verb: string): Command {
  return new Command(name)
    .option('--client <id>', 'only this client (repeatable)', gather)
    .option('--server <name>', 'only servers with this name (repeatable)', gather)
    .option('--dry-run', 'show the changes without making them')
    .option('-y, --yes', `${verb} without asking`)
    .option('--json', 'print JSON; makes changes only with --yes');
}
