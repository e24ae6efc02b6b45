import {
  type CompletedCommand,
  type CompletedFlag,
  type CompletionActions,
  type CompletionWords,
  everyCommand,
  MAX_IDS,
} from './completion-tree.ts';

/** Generates the completion script for fish: one line per command and flag, each bound to its command. */
export function fishCompletion(tree: CompletedCommand, sessionsFolder: string): string {
  const commands = everyCommand(tree);
  const groups = commands.filter(({ children }) => children.length > 0);
  const recorder = tree.children.find(({ path }) => path[0] === 'record')?.flags ?? [];
  return `# Completion of mcpreel for fish, made by: mcpreel completion fish

# The command that was typed so far; after -- there is none.
function __mcpreel_path
    set -l path
    for word in (commandline -opc)[2..-1]
        test "$word" = -- && echo -- && return
        switch "$path"
${groups.map(groupCase).join('\n')}
        end
    end
    string join -- ' ' $path
end

function __mcpreel_is
    contains -- -- (commandline -opc) && return 1
    set -l path (__mcpreel_path)
    test "$path" = "$argv"
end

# Whether a server's command is typed, behind --; and the same for the flags of install.
function __mcpreel_server
    contains -- -- (commandline -opc); and not contains -- install (commandline -opc)[2]
end

function __mcpreel_baked
    contains -- -- (commandline -opc); and contains -- install (commandline -opc)[2]
end

function __mcpreel_complete_server
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words)
    complete -C (string join ' ' -- (string escape -- $words[(math $at + 1)..-1]) (commandline -ct))
end

# Names begin with a time, so the newest are first in descending order.
function __mcpreel_ids
    set -l folder ${sessionsFolder}
    set -l typed (commandline -ct)
    string match -qr '^[0-9a-f]{0,8}$' -- "$typed" || return
    set -l digits "$typed"'[0-9a-f]{'(math 8 - (string length -- "$typed"))'}'
    env LC_ALL=C ls -r $folder 2> /dev/null |
        sed -nE "s/^(.*)-($digits)(-[0-9]+)?([.]part-[0-9-]+)?[.]jsonl\\$/\\2\t\\1/p" |
        uniq | head -n ${MAX_IDS}
end

complete -c mcpreel -f
complete -c mcpreel -n __mcpreel_server -a '(__mcpreel_complete_server)'
complete -c mcpreel -n __mcpreel_baked -a ${quoted(recorder.flatMap(({ names }) => names).join(' '))}
${commands.map(linesOf).join('\n')}
`;
}

/** The next word is a subcommand only after a command that has subcommands. */
function groupCase({ path, children }: CompletedCommand): string {
  const names = children.map((child) => child.path.at(-1));
  return `            case '${path.join(' ')}'
                contains -- "$word" ${names.join(' ')} && set path $path $word || break`;
}

function linesOf({ path, flags, children, argument }: CompletedCommand): string {
  const here = quoted(`__mcpreel_is ${path.join(' ')}`.trimEnd());
  const lines = children.map(
    (child) => `complete -c mcpreel -n ${here} -a ${child.path.at(-1)} -d ${quoted(child.help)}`,
  );
  if (argument !== 'free') lines.push(`complete -c mcpreel -n ${here} ${given(argument)}`);
  return [...lines, ...flags.map((flag) => flagLine(here, flag))].join('\n');
}

function flagLine(condition: string, { names, help, value }: CompletedFlag): string {
  const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const taken = value === undefined ? [] : ['-r', given(value)];
  return ['complete -c mcpreel -n', condition, ...spelled, ...taken, '-d', quoted(help)].join(' ');
}

const ACTIONS: CompletionActions = {
  files: '-F',
  folders: "-f -a '(__fish_complete_directories)'",
  sessions: "-F -a '(__mcpreel_ids)'",
  ids: "-f -a '(__mcpreel_ids)'",
  free: '-f',
};

function given(value: CompletionWords): string {
  return typeof value === 'string' ? ACTIONS[value] : `-f -a ${quoted(value.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
