import { expect, it } from 'vitest';
import { shellNotes } from './command-shells.ts';

it.each([
  [['sh', '-c', 'id'], 'sh -c runs word 3 and the following ones as a shell script.'],
  [['/usr/bin/bash', '--norc', '-lc', 'id'], 'bash -lc runs word 4 and the following ones as a shell script.'],
  [['env', 'A=1', 'dash', '-ec', 'id'], 'dash -ec runs word 5 and the following ones as a shell script.'],
  [['docker', 'run', 'alpine', 'ash', '-c', 'id'], 'ash -c runs word 6 and the following ones as a shell script.'],
  [['fish', '-c', 'id'], 'fish -c runs word 3 and the following ones as a shell script.'],
  [['C:\\Windows\\System32\\cmd.exe', '/c', 'dir'], 'cmd /c runs word 3 and the following ones as a cmd command.'],
  [['cmd', '/d/s/c', 'dir'], 'cmd /d/s/c runs word 3 and the following ones as a cmd command.'],
  [
    ['pwsh', '-NoProfile', '-EncodedCommand', 'aQBk'],
    'pwsh -EncodedCommand runs word 4 and the following ones as a PowerShell script.',
  ],
  [['python3.12', '-Ic', 'print()'], 'python3.12 -Ic runs word 3 and the following ones as a Python program.'],
  [['node', '--no-warnings', '-e', '1'], 'node -e runs word 4 and the following ones as a JavaScript program.'],
  [['node', '--eval=1'], 'node --eval=1 runs word 2 as a JavaScript program.'],
  [['perl', '-e1'], 'perl -e1 runs word 2 as a Perl program.'],
  [['python3', '-cimport os'], 'python3 -cimport os runs word 2 as a Python program.'],
  [['CMD.EXE', '/C', 'dir'], 'cmd /C runs word 3 and the following ones as a cmd command.'],
  [['PowerShell.exe', '-enc', 'aQBk'], 'powershell -enc runs word 3 and the following ones as a PowerShell script.'],
  [['perl', '-we', '1'], 'perl -we runs word 3 and the following ones as a Perl program.'],
  [['npx', '-c', 'id'], 'npx -c runs word 3 and the following ones as a shell script.'],
  [['env', 'sh', '-cx', 'id'], 'sh -cx runs word 4 and the following ones as a shell script.'],
  [['env', 'bash', '-cl', 'id'], 'bash -cl runs word 4 and the following ones as a shell script.'],
  [['rbash', '-c', 'id'], 'rbash -c runs word 3 and the following ones as a shell script.'],
  [['lksh', '-c', 'id'], 'lksh -c runs word 3 and the following ones as a shell script.'],
  [['yash', '-c', 'id'], 'yash -c runs word 3 and the following ones as a shell script.'],
  [['nice', 'sh', '-c', 'id'], 'sh -c runs word 4 and the following ones as a shell script.'],
  [['sudo', 'sh', '-c', 'id'], 'sh -c runs word 4 and the following ones as a shell script.'],
  [['xargs', 'sh', '-c', 'id'], 'sh -c runs word 4 and the following ones as a shell script.'],
  [['timeout', '5', 'sh'], 'sh is a shell: it runs the commands in its arguments.'],
  [['env', 'sh', '-s'], 'sh is a shell: it runs the commands in its arguments.'],
  [['tsx', '-e', '1'], 'tsx -e runs word 3 and the following ones as a JavaScript program.'],
  [['bun', '-e', '1'], 'bun -e runs word 3 and the following ones as a JavaScript program.'],
  [['deno', 'eval', '1'], 'deno eval runs word 3 and the following ones as a JavaScript program.'],
  [['awk', 'BEGIN{system("id")}'], 'awk runs code in its own language from its arguments.'],
  [['env', 'tclsh', 'x.tcl'], 'tclsh runs code in its own language from its arguments.'],
  [
    ['git', '-c', 'alias.x=!id', 'x'],
    'git -c runs word 3 and the following ones as settings, which may name commands.',
  ],
  [['find', '.', '-exec', 'id', ';'], 'find -exec runs word 4 and the following ones as a command.'],
  [['ruby', '-e', '1'], 'ruby -e runs word 3 and the following ones as a Ruby program.'],
  [['php', '-r', '1'], 'php -r runs word 3 and the following ones as a PHP program.'],
  [['osascript', '-e', '1'], 'osascript -e runs word 3 and the following ones as a program.'],
  [['pwsh', '-Command', 'id'], 'pwsh -Command runs word 3 and the following ones as a PowerShell script.'],
  [['bash'], 'bash is a shell: it runs the commands in its arguments.'],
])('names the shell in %j', (words, note) => {
  expect(shellNotes(words)).toEqual([note]);
});

it.each([
  [['node', 'server.js', '--port', '1']],
  [['npx', '-y', '@modelcontextprotocol/server-everything']],
  [['python', '-m', 'server']],
  [['uvx', 'mcp-server-git']],
  [['node', 'server.js', 'sed', 'sh']],
  [['npx', '-y', 'mcp-server', '--config', 'a.json']],
])('names no shell in %j', (words) => {
  expect(shellNotes(words)).toEqual([]);
});

it('names each shell that busybox runs', () => {
  expect(shellNotes(['busybox', 'sh', '-c', 'id'])).toContain(
    'sh -c runs word 4 and the following ones as a shell script.',
  );
});
