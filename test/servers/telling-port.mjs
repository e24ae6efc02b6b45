// Loaded before a server that takes any free port and does not say which: says it on stdout, and ends the server with its
// input, so that it never outlives whoever started it.
import { Server } from 'node:net';

const { listen } = Server.prototype;

Server.prototype.listen = function (...args) {
  this.once('listening', () => process.stdout.write(`port ${this.address().port}\n`));
  return listen.apply(this, args);
};

process.stdin.on('end', () => process.exit()).resume();
