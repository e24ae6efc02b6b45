import { INTERPRETERS, SHELL } from './code-interpreters.ts';
import type { CodeRunner } from './code-runner.ts';

/** Options of `docker run` and the like that have a value in the next word. */
const DOCKER_VALUES =
  /^-[vpewuhmlcanf]$|^--(?:name|volume|publish|env|env-file|workdir|user|hostname|memory|label|label-file|network|net|network-alias|mount|add-host|attach|cap-add|cap-drop|cgroup-parent|cidfile|cpus|cpuset-cpus|cpu-shares|device|dns|dns-search|expose|gpus|group-add|health-cmd|ip|ipc|isolation|link|log-driver|log-opt|mac-address|memory-swap|pid|pids-limit|platform|pull|restart|runtime|security-opt|shm-size|stop-signal|stop-timeout|storage-opt|sysctl|tmpfs|ulimit|userns|uts|volume-driver|volumes-from|detach-keys|namespace|container|pod-running-timeout|image|index)$/;

/** Those without, or with the value in the same word. */
const DOCKER_FLAGS =
  /^-[itdPqT]+$|^-[vpewuhmlc][^-]|^--(?:interactive|tty|detach|rm|init|privileged|read-only|publish-all|quiet|no-healthcheck|oom-kill-disable|help|no-deps|build|service-ports|use-aliases|no-TTY|replace|no-hosts|stdin|leave-stdin-opened|sig-proxy|disable-content-trust)$/;

/** In the order in which they are asked. */
export const RUNNERS: readonly CodeRunner[] = [
  ...INTERPRETERS,
  {
    program: /^g?make$/,
    what: 'make rules',
    code: /^-E|^--ev[a-z]*(?:=|$)|^(?=[^-].*\$\()/,
    values: /^-[CfIjolWO]$|^--(?:directory|file|makefile)$/,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^git$/,
    what: 'settings, which may name commands',
    code: /^-c$|^--(?:exec-path|config-env)(?:=|$)/,
    values: /^-C$|^--(?:git-dir|work-tree|namespace)$/,
    operand: 'task',
  },
  {
    program: /^git (?:clone|fetch|pull|push|ls-remote|archive)$/,
    what: 'a command',
    code: /^-u$|^--(?:upload-pack|receive-pack|exec)(?:=|$)|^(?=ext::)/,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^git (?:rebase|bisect|submodule|filter-branch)$/,
    what: SHELL,
    code: /^-x$|^--(?:exec|tree-filter|env-filter|index-filter|msg-filter)(?:=|$)|^(?:run|foreach)$/,
    operand: 'file',
    isAnywhere: true,
  },
  { program: /^find$/, what: 'a command', code: /^-(?:exec|execdir|ok|okdir)$/, operand: 'file', isAnywhere: true },
  {
    program: /^fd(?:find)?$/,
    what: 'a command',
    code: /^-[xX]$|^--exec(?:-batch)?(?:=|$)/,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^g?tar$|^bsdtar$/,
    what: 'a command',
    code: /^-[A-Za-z]*[IF]|^--(?:checkpoint-a|to-c|use-c|info-s|new-v|rsh-c|rmt-c)[a-z-]*(?:=|$)/,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^(?:rsync|scp|sftp)$/,
    what: 'a command',
    code: /^-[A-Za-z0-9]*[eS]$|^--(?:rsh|rsync-path)(?:=|$)|^-o.*command/i,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^env$/,
    what: 'a command line',
    code: /^-[0iv]*S|^--s[a-z-]*(?:=|$)/,
    values: /^-[0iv]*[uCa]$|^--(?:unset|chdir|argv0)$/,
    flags: /^-[0iv]*$|^--(?:ignore-environment|null|debug)$/,
    operand: 'command',
    option: /^-/,
  },
  {
    program: /^xargs$/,
    what: 'a command',
    values: /^-[IiEeLlnPsda]$|^--(?:replace|max-args|max-procs|max-lines|delimiter|arg-file|max-chars)$/,
    operand: 'command',
  },
  {
    program: /^(?:parallel|watch|rush)$/,
    what: SHELL,
    code: /^-[bcdegtpw]*x$/,
    values: /^-[nqjNIS]$|^--(?:interval|jobs|arg-file)$/,
    operand: 'script',
  },
  {
    program: /^ssh$|^(?:auto|s)ssh$|^plink$|^mosh$|^rsh$/,
    what: 'a shell script',
    code: /^-o\s*(?=\w*command)/i,
    values: /^-[BbcDEeFIiJLlmOPpQRSWw]$/,
    operand: 'script',
    skips: 1,
  },
  {
    program: /^(?:su|runuser)$/,
    what: SHELL,
    code: /^-[flmp]*c$|^--(?:session-)?command(?:=|$)/,
    values: /^-[ugGsw]$|^--(?:user|group|shell)$/,
    operand: 'file',
    isAnywhere: true,
  },
  { program: /^sg$/, what: SHELL, code: /^-c$/, operand: 'script', skips: 1 },
  { program: /^script$/, what: SHELL, code: /^-[aefq]*c$|^--command(?:=|$)/, operand: 'file', isAnywhere: true },
  {
    program: /^flock$/,
    what: SHELL,
    code: /^-c$|^--command(?:=|$)/,
    values: /^-[wE]$|^--(?:timeout|wait|conflict-exit-code)$/,
    operand: 'command',
    skips: 1,
  },
  { program: /^nix-shell$/, what: SHELL, code: /^--(?:run|command)(?:=|$)/, operand: 'file', isAnywhere: true },
  { program: /^nix$/, what: 'a command', code: /^-c$|^--(?:command|expr)(?:=|$)/, operand: 'file', isAnywhere: true },
  {
    program: /^(?:xterm|konsole|gnome-terminal|alacritty|kitty|urxvt|x-terminal-emulator|foot)$/,
    what: 'a command',
    code: /^-[ex]$|^--(?:command|execute)(?:=|$)/,
    operand: 'command',
  },
  {
    program: /^(?:npx|pnpx|bunx)$/,
    what: SHELL,
    code: /^-c$|^--(?:call|shell-mode)(?:=|$)/,
    values: /^-p$|^--(?:package|prefix|registry|cache|userconfig|workspace)$/,
    flags: /^-[yq]$|^--(?:yes|no|quiet|silent|no-install|ignore-existing|offline|prefer-offline|prefer-online|bun)$/,
    operand: 'command',
  },
  {
    program: /^(?:npm|pnpm|yarn|corepack)$/,
    what: SHELL,
    values: /^-[Cw]$|^--(?:prefix|dir|cwd|filter|registry|workspace)$/,
    operand: 'task',
  },
  {
    program: /^(?:npm|pnpm|yarn|bun|uv|corepack) (?:exec|x|dlx|pnpx|npx|yarn|pnpm|npm)$/,
    what: SHELL,
    code: /^-c$|^--(?:call|shell-mode)(?:=|$)/,
    values: /^-p$|^--(?:package|prefix|registry)$/,
    flags: /^-[yq]$|^--(?:yes|no|quiet|silent|offline|prefer-offline|prefer-online)$/,
    operand: 'command',
  },
  {
    program: /^uv$/,
    what: 'a Python program',
    values: /^--(?:directory|project|config-file|cache-dir|color)$/,
    operand: 'task',
  },
  {
    program: /^uv (?:run|tool)$|^uvx$|^pipx$|^pipx run$/,
    what: 'a Python program',
    code: /^-[qvn]*c$/,
    values:
      /^-[pwPi]$|^--(?:with|with-editable|with-requirements|from|extra|group|only-group|no-group|python|directory|project|env-file|index|index-url|default-index|extra-index-url|find-links|package|config-file|cache-dir|refresh-package|spec)$/,
    flags:
      /^-[qv]+$|^--(?:quiet|isolated|no-project|frozen|locked|offline|no-cache|refresh|all-extras|no-dev|active|exact)$/,
    operand: 'command',
  },
  {
    program:
      /^(?:poetry|pipenv|pdm|hatch|rye|conda|mamba|micromamba|pixi|mise|asdf|direnv|op|doppler|infisical|dotenvx|bundle|rbenv|pyenv|nodenv|volta|fnm|devbox|flatpak|snap|dotnet|cargo|go|stack|cabal|opam|lerna|turbo|nx)$/,
    what: 'a command',
    values: /^-C$|^--(?:directory|project|cd)$/,
    operand: 'task',
  },
  {
    program: /^(?:docker|podman|nerdctl|finch|kubectl|oc|docker-compose)$/,
    what: 'a command',
    values:
      /^-[HclnfD]$|^--(?:host|context|config|log-level|namespace|kubeconfig|file|project-name|project-directory)$/,
    operand: 'task',
  },
  {
    program: /^(?:docker|podman|nerdctl|finch) (?:container|compose)$/,
    what: 'a command',
    values: /^-[fp]$|^--(?:file|project-name|project-directory|profile|env-file)$/,
    operand: 'task',
  },
  {
    program:
      /^(?:(?:docker|podman|nerdctl|finch)(?: container| compose)? (?:run|exec|create)|docker-compose (?:run|exec)|(?:kubectl|oc) (?:exec|run|debug))$/,
    what: 'a command',
    values: DOCKER_VALUES,
    flags: DOCKER_FLAGS,
    operand: 'command',
    skips: 1,
    entry: /^--entrypoint(?:=|$)/,
  },
  {
    program: /^\w+ (?:run|exec|x)$/,
    what: 'a command',
    values: /^-[nepf]$|^--(?:name|prefix|env|env-file|cwd|command)$/,
    operand: 'command',
  },
  { program: /^eval$/, what: SHELL, operand: 'script' },
  {
    program: /^entr$/,
    what: SHELL,
    code: /^-[acdnprxz]*s[acdnprxz]*$/,
    operand: 'command',
  },
  // The server comes after `--`.
  { program: /^mcpreel$/, what: 'a command', flags: /^-/, operand: 'command', skips: Number.POSITIVE_INFINITY },
  { program: /^wsl$/, what: SHELL, values: /^-[du]$|^--(?:distribution|user|cd)$/, operand: 'script' },
  { program: /^(?:mshta|rundll32|regsvr32|wmic|installutil|cmstp)$/, what: 'a script', operand: 'script' },
  { program: /^forfiles$/, what: 'a cmd command', code: /^\/c$/i, operand: 'file', isAnywhere: true, option: /^\// },
  { program: /^start$/, what: 'a command', operand: 'command', option: /^\// },
  {
    program: /^(?:sudo|doas)$/,
    what: 'a command',
    values:
      /^-[AbEHnPSk]*[ugUhprtCTRD]$|^--(?:user|group|host|prompt|chdir|chroot|role|type|other-user|close-from|command-timeout)$/,
    operand: 'command',
  },
  {
    program: /^(?:timeout|gtimeout)$/,
    what: 'a command',
    values: /^-[vfp]*[sk]$|^--(?:signal|kill-after)$/,
    operand: 'command',
    skips: 1,
  },
  {
    program: /^(?:taskset|chrt|chroot|gosu|su-exec|proot|runcon)$/,
    what: 'a command',
    values: /^-[pTPDrbw]$|^--(?:userspec|groups)$/,
    operand: 'command',
    skips: 1,
  },
  { program: /^nice$/, what: 'a command', values: /^-n$|^--adjustment$/, flags: /^-n?\d+$/, operand: 'command' },
  {
    program: /^stdbuf$/,
    what: 'a command',
    values: /^-[ioe]$|^--(?:input|output|error)$/,
    flags: /^-[ioe][\dLKMG]+$/,
    operand: 'command',
  },
  { program: /^setsid$/, what: 'a command', flags: /^-[cfw]+$|^--(?:wait|fork|ctty)$/, operand: 'command' },
  {
    program:
      /^(?:ionice|nohup|strace|ltrace|time|gtime|unshare|nsenter|exec|command|busybox|toybox|systemd-run|systemd-inhibit|firejail|bwrap|dbus-run-session|xvfb-run|catchsegv|catatonit|tini|dumb-init|setpriv|start-stop-daemon|cross-env|cross-env-shell|dotenv|caffeinate|arch|unbuffer|rlwrap|socat|prlimit|setarch|linux(?:32|64)|ld(?:-linux|-musl)?[\w.-]*\.so[\d.]*|qemu-[\w-]+|wine(?:64)?|valgrind|faketime|torsocks|proxychains4?|pkexec|gdbserver|authbind|fakeroot|with-contenv|s6-setuidgid|env-cmd)$/,
    what: 'a command',
    // Each has other options, so none of them is understood.
    operand: 'command',
  },
];

/** Variables that make a program load or run code, with the values for which they do. */
export const CODE_VARIABLES: RegExp =
  /^(?:(?:LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|DYLD_LIBRARY_PATH|BASH_ENV|PROMPT_COMMAND|PERL5OPT|RUBYOPT|PYTHONINSPECT|GIT_SSH_COMMAND|GIT_SSH|GIT_PROXY_COMMAND|GIT_EXTERNAL_DIFF|GIT_PAGER|GIT_ASKPASS|GIT_CONFIG_\w+|PAGER|EDITOR|BASH_FUNC_.*)(?==)|NODE_OPTIONS(?==.*(?:--import|--require|-r\b|--loader|--experimental-loader))|JAVA_TOOL_OPTIONS(?==.*-(?:javaagent|agent)))/;
