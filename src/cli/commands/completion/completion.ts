import { Argument, Command } from 'commander';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { bashCompletion } from './completion-bash.ts';
import { fishCompletion } from './completion-fish.ts';
import { completionTree } from './completion-tree.ts';
import { zshCompletion } from './completion-zsh.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type CompletionShell = (typeof SHELLS)[number];

/** `wholeProgram` returns the program with all commands, from which the script is generated. */
export function completionCommand(wholeProgram: () => Promise<Command>, context: CommandEnvironment): Command {
  return new Command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(SHELLS))
    .addHelpText('after', INSTALLATION)
    .addHelpText(
      'after',
      examples(['mcpreel completion bash', 'mcpreel completion fish > ~/.config/fish/completions/mcpreel.fish']),
    )
    .action((shell: CompletionShell) => context.execute(runCompletion(shell, wholeProgram, context)));
}

async function* runCompletion(
  shell: CompletionShell,
  wholeProgram: () => Promise<Command>,
  { platform }: CommandEnvironment,
): CommandStep {
  yield scriptFor(shell, completionTree(await wholeProgram()), platform);
}

const INSTALLATION = `
Install it once:
  bash  echo 'source <(mcpreel completion bash)' >> ~/.bashrc
  zsh   echo 'source <(mcpreel completion zsh)' >> ~/.zshrc, after compinit
  fish  mcpreel completion fish > ~/.config/fish/completions/mcpreel.fish`;

/** The script resolves the state folder at run time, because it may change. */
function scriptFor(shell: CompletionShell, tree: ReturnType<typeof completionTree>, platform: string): string {
  const usual = platform === 'darwin' ? '$HOME/Library/Application Support' : `\${XDG_STATE_HOME:-$HOME/.local/state}`;
  const folder = `"\${MCPREEL_HOME:-${usual}/mcpreel}"/sessions`;
  switch (shell) {
    case 'bash':
      return bashCompletion(tree, folder);
    case 'zsh':
      return zshCompletion(tree, folder);
    case 'fish':
      return fishCompletion(tree, fishFolder(platform));
  }
}

/** Fish has no syntax for a default value of an unset variable. */
function fishFolder(platform: string): string {
  const usual =
    platform === 'darwin'
      ? '"$HOME/Library/Application Support"'
      : '(set -q XDG_STATE_HOME && echo $XDG_STATE_HOME || echo $HOME/.local/state)';
  return `(set -q MCPREEL_HOME && echo $MCPREEL_HOME || echo ${usual}/mcpreel)/sessions`;
}
