import type { CodeRunner } from './code-runner.ts';

const SHELL = 'a shell script';
const JAVASCRIPT = 'a JavaScript program';

/** A shell that reads commands from standard input if it gets none. */
export const SHELLS: RegExp =
  /^(?:r?ba|da|z|r?k|lk|mk|pdk|ya|a|c|tc|fi|nu|pos|bo|o|i|su|h)?sh(?:-static)?[\d.]*$|^(?:elvish|xonsh|nu)$/;

/** Options of `docker run` and the like that have a value in the next word: all but these. */
const DOCKER_VALUES =
  /^(?!-[itdPqT]+$)(?!--(?:interactive|tty|detach|rm|init|privileged|read-only|publish-all|quiet|no-healthcheck|oom-kill-disable|help|no-deps|build|service-ports|use-aliases|no-TTY|replace|no-hosts|stdin|leave-stdin-opened)$)(?!.*=)(?!-[vpewuhmlc][^-])-/;

/** In the order in which they are asked. */
export const RUNNERS: readonly CodeRunner[] = [
  {
    program: SHELLS,
    what: SHELL,
    code: /^[-+](?=[A-Za-z]*[cC])[A-Za-z]+$|^--(?:command|init-command)(?:=|$)/,
    values: /^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file|config|env-config|plugin-config)$/,
    operand: 'file',
    option: /^[-+]./,
  },
  { program: /^cmd$/, what: 'a cmd command', code: /^(?:\/\w(?::\w+)?)*\/[ckr]/i, operand: 'file', option: /^\// },
  {
    program: /^powershell(?:_ise)?$/,
    what: 'a PowerShell script',
    code: /^[-/–—―]{1,2}(?:c(?:wa|o(?:m\w*)?)?|e|ec|en\w*)$/i,
    values: /^[-/–—―]{1,2}(?:ex\w*|ep|ve\w*|w\w*|inp\w*|of|o\w*|config\w*|ps\w*|if|settings\w*|cus\w*)$/i,
    operand: 'script',
    option: /^[-/–—―]./,
  },
  {
    program: /^pwsh(?:-preview)?$/,
    what: 'a PowerShell script',
    code: /^[-/–—―]{1,2}(?:c(?:wa|o(?:m\w*)?)?|e|ec|en\w*)$/i,
    values: /^[-/–—―]{1,2}(?:ex\w*|ep|w\w*|inp\w*|of|o\w*|config\w*|if|settings\w*|cus\w*)$/i,
    operand: 'file',
    option: /^[-/–—―]./,
  },
  {
    program: /^(?:python|pypy)[\d.]*[a-z]?$|^(?:py|pyw|ipython[\d.]*|bpython|micropython|jython|graalpy)$/,
    what: 'a Python program',
    code: /^-[bBdEiIOPqRsStuvx]*c|^-[bBdEiIOPqRsStuvx]*mtimeit$/,
    // What follows a module belongs to it.
    values: /^-[WXQ]$|^--check-hash-based-pycs$/,
    operand: 'file',
    option: /^-(?![bBdEiIOPqRsStuvx]*m).|^-V:/,
  },
  {
    program:
      /^(?:node(?:js)?[\d.]*|tsx|ts-node|ts-node-esm|ts-node-script|qjs|qjsm|electron|nw|esno|jiti|babel-node|swc-node)$/,
    what: JAVASCRIPT,
    code: /^-(?:[ep]|pe|ep|[ei]p|ie)$|^--(?:eval|print)(?:=|$)|^--(?:import|(?:experimental-)?loader)=(?=data:)/,
    values:
      /^-[rC]$|^--(?:require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists|title|tsconfig|input-type|watch-path|test-reporter|inspect-port)$/,
    operand: 'file',
  },
  {
    program: /^bun$/,
    what: JAVASCRIPT,
    code: /^-[ep]$|^--(?:eval|print)(?:=|$)/,
    values: /^-[rcd]$|^--(?:preload|cwd|config|env-file|filter)$/,
    operand: 'task',
  },
  {
    program: /^bun run$/,
    what: JAVASCRIPT,
    code: /^-[ep]$|^--(?:eval|print)(?:=|$)/,
    values: /^--(?:preload|cwd)$/,
    operand: 'file',
  },
  { program: /^bun exec$/, what: SHELL, operand: 'script' },
  { program: /^deno$/, what: JAVASCRIPT, values: /^-L$|^--log-level$/, operand: 'task' },
  {
    program: /^deno eval$/,
    what: JAVASCRIPT,
    values: /^-[Lc]$|^--(?:ext|config|import-map|cert|env-file)$/,
    operand: 'script',
  },
  { program: /^deno (?:run|repl|serve)$/, what: JAVASCRIPT, code: /^--(?:eval|eval-file)(?:=|$)/, operand: 'file' },
  {
    program: /^perl[\d.]*$/,
    what: 'a Perl program',
    code: /^-[acfilnpstTuUwWXSvxCF\d]*[eE]|^-[mM][\w:]*(?=[^\w:=,.-])/,
    values: /^-[I]$/,
    operand: 'file',
  },
  {
    program: /^(?:j|m|truffle)?ruby[\d.]*$/,
    what: 'a Ruby program',
    code: /^-[acdlnpsSvwy0]*e/,
    values: /^-[rIC]$/,
    operand: 'file',
  },
  {
    program: /^php[\d.]*(?:-cli|-cgi)?$/,
    what: 'a PHP program',
    code: /^-n?[rRBE]|^--(?:run|process-code|process-begin|process-end)(?:=|$)/,
    values: /^-[dczFtS]$|^--(?:define|php-ini)$/,
    operand: 'file',
  },
  {
    program: /^lua(?:jit)?[\d.]*(?:-[\d.]+)?$/,
    what: 'a Lua program',
    code: /^-e/,
    values: /^-[lj]$/,
    operand: 'file',
  },
  { program: /^osascript$/, what: 'an AppleScript program', code: /^-[is]*e/, values: /^-[ls]$/, operand: 'file' },
  { program: /^r$|^rscript$|^littler$/, what: 'an R program', code: /^-e|^--e$/, operand: 'file' },
  {
    program: /^julia$/,
    what: 'a Julia program',
    code: /^-[eE]|^--(?:eval|print)(?:=|$)/,
    values: /^-[LJptC]$|^--(?:project|load|threads)$/,
    operand: 'file',
  },
  {
    program: /^elixir$|^iex$/,
    what: 'an Elixir program',
    code: /^-e$|^--(?:eval|rpc-eval)(?:=|$)/,
    values: /^-(?:r|S|pa|pz)$/,
    operand: 'file',
  },
  { program: /^erl$/, what: 'an Erlang program', code: /^-{1,2}(?:eval|run|s)$/, operand: 'file', isAnywhere: true },
  {
    program:
      /^(?:guile|groovy|scala|kotlin|swift|racket|clojure|clj|bb|sbcl|clisp|ecl|ghci?|octave(?:-cli)?|maxima|crystal|nim|janet|fennel|gst|ocaml|swipl|gosh|chibi-scheme|csi|mit-scheme)$/,
    what: 'a program',
    code: /^-{1,2}(?:e|c|x|g|eval|execute|command)(?:=|$)/,
    operand: 'file',
  },
  {
    program: /^(?:[gnm]?vim?|vimdiff|view|ex|emacs|emacsclient|gdb|lldb|sqlite3|less|ed)$/,
    what: 'commands',
    code: /^-{1,2}(?:c|cmd|ex|iex|eval|execute|eval-command|init-eval-command|batch|o|one-line)(?:=|$)|^\+[^+\d]/,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^(?:[gmn]|busybox-)?awk$|^original-awk$/,
    what: 'an awk program',
    code: /^-e$|^--source(?:=|$)/,
    values: /^-[FvfEil]$|^--(?:field-separator|assign|file|exec|include|load)$/,
    operand: 'script',
  },
  {
    program: /^g?sed$/,
    what: 'a sed script',
    code: /^-[nErsuz]*e|^--expression(?:=|$)/,
    values: /^-[fl]$|^--(?:file|line-length)$/,
    operand: 'script',
  },
  { program: /^(?:tclsh|wish|jimsh)[\d.]*$/, what: 'a Tcl script', values: /^-encoding$/, operand: 'script' },
  { program: /^(?:expect|expectk)[\d.]*$/, what: 'an Expect script', code: /^-[di]*c/, operand: 'script' },
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
    code: /^-[IF]$|^--(?:checkpoint-a|to-c|use-c|info-s|new-v|rsh-c|rmt-c)[a-z-]*(?:=|$)/,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^(?:rsync|scp|sftp)$/,
    what: 'a command',
    code: /^-[eS]$|^--(?:rsh|rsync-path)(?:=|$)|^-o.*command/i,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^env$/,
    what: 'a command line',
    code: /^-[0iv]*S|^--s[a-z-]*(?:=|$)/,
    values: /^-[0iv]*[uCa]$|^--(?:unset|chdir|argv0)$/,
    operand: 'command',
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
  { program: /^mcpreel$/, what: 'a command', operand: 'command', skips: Number.POSITIVE_INFINITY },
  { program: /^wsl$/, what: SHELL, values: /^-[du]$|^--(?:distribution|user|cd)$/, operand: 'script' },
  { program: /^mshta$/, what: 'a script', operand: 'script' },
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
  {
    program:
      /^(?:nice|ionice|nohup|setsid|stdbuf|strace|ltrace|time|gtime|unshare|nsenter|exec|command|busybox|toybox|systemd-run|systemd-inhibit|firejail|bwrap|dbus-run-session|xvfb-run|catchsegv|catatonit|tini|dumb-init|setpriv|start-stop-daemon|cross-env|cross-env-shell|dotenv|caffeinate|arch|unbuffer|rlwrap|socat|prlimit|setarch|linux(?:32|64)|ld(?:-linux|-musl)?[\w.-]*\.so[\d.]*|qemu-[\w-]+|wine(?:64)?|valgrind|faketime|torsocks|proxychains4?|pkexec|gdbserver|authbind|fakeroot|with-contenv|s6-setuidgid|env-cmd)$/,
    what: 'a command',
    values:
      /^-[nuoeiIEsSpPcgGdDbrtfv]$|^--(?:adjustment|class|classdata|output|format|input|error|unit|property|setenv|exec|reuid|regid|ro-bind|bind|dev|proc|tmpfs)$/,
    operand: 'command',
  },
];

/** Variables that make a program load or run code, with the values for which they do. */
export const CODE_VARIABLES: RegExp =
  /^(?:(?:LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|DYLD_LIBRARY_PATH|BASH_ENV|PROMPT_COMMAND|PERL5OPT|RUBYOPT|PYTHONINSPECT|GIT_SSH_COMMAND|GIT_SSH|GIT_PROXY_COMMAND|GIT_EXTERNAL_DIFF|GIT_PAGER|GIT_ASKPASS|GIT_CONFIG_\w+|PAGER|EDITOR|BASH_FUNC_.*)(?==)|NODE_OPTIONS(?==.*(?:--import|--require|-r\b|--loader|--experimental-loader))|JAVA_TOOL_OPTIONS(?==.*-(?:javaagent|agent)))/;
