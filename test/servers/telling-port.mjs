// Preloaded into a server that listens on any free port without reporting it: prints the port on stdout. It also exits
// when stdin ends, so that the server never outlives its parent.
import { Server } from 'node:net';

const { listen } = Server.prototype;

Server.prototype.listen = function (...args) {
  this.once('listening', () => process.stdout.write(`port ${this.address().port}\n`));
  return listen.apply(this, args);
};

process.stdin.on('end', () => process.exit()).resume();
