// Loaded before a server that is told to listen on any free port: it says on stderr which one that was.
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once('listening', () => process.stderr.write(`listening on port ${this.address().port}\n`));
  return listen.apply(this, args);
};
