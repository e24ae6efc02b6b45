import { Command } from 'commander';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { listCommand } from './sessions-list.ts';
import { pruneCommand } from './sessions-prune.ts';
import { recoverCommand } from './sessions-recover.ts';
import { removeCommand } from './sessions-remove.ts';
import { showCommand } from './sessions-show.ts';

export function sessionsCommand(context: CommandEnvironment): Command {
  return new Command('sessions')
    .description('list, delete and recover recorded sessions')
    .addCommand(listCommand(context), { isDefault: true })
    .addCommand(showCommand(context))
    .addCommand(removeCommand(context))
    .addCommand(pruneCommand(context))
    .addCommand(recoverCommand(context))
    .addHelpText(
      'after',
      examples([
        'mcpreel sessions',
        'mcpreel sessions show 385a99db',
        'mcpreel sessions prune --older-than 30d --dry-run',
      ]),
    );
}
