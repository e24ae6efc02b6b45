// Notes what a process listens on, connects to, starts and writes, for a test of what its code reaches.
const { appendFileSync } = require('node:fs');
const fs = require('node:fs');
const net = require('node:net');
const dns = require('node:dns');
const child = require('node:child_process');

const log = process.env.ACCESS_LOG;
const note = (kind, what) => appendFileSync(log, `${JSON.stringify({ pid: process.pid, kind, what: String(what) })}\n`);

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...args) {
  const [first] = args;
  note('listen', typeof first === 'object' ? JSON.stringify({ host: first.host, path: first.path }) : first);
  return listen.apply(this, args);
};
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  note('connect', JSON.stringify(args[0]));
  return connect.apply(this, args);
};
const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  note('lookup', name);
  return lookup(name, ...rest);
};
const { spawn } = child;
child.spawn = (program, ...rest) => {
  note('spawn', program);
  return spawn(program, ...rest);
};
const { openSync, open } = fs;
const isWriting = (flags) => (typeof flags === 'number' ? (flags & 3) !== 0 : /[wa+]/.test(String(flags)));
fs.openSync = (path, flags = 'r', ...rest) => {
  if (isWriting(flags)) note('write', path);
  return openSync(path, flags, ...rest);
};
fs.open = (path, flags, ...rest) => {
  if (isWriting(flags)) note('write', path);
  return open(path, flags, ...rest);
};
