// Loaded into mcpreel: every write to a file takes as long as MCPREEL_WRITE_MS says. Pipes, terminals and sockets are as
// they were, and so is the journal, which is in memory.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { promisify } = require('node:util');

const slowMs = Number(process.env.MCPREEL_WRITE_MS);
const { write, writeSync } = fs;
const writeLater = promisify(write);
const never = new Int32Array(new SharedArrayBuffer(4));

const isFile = (descriptor) => fs.fstatSync(descriptor).isFile() && !isInMemory(descriptor);

const isInMemory = (descriptor) =>
  process.platform === 'linux' && fs.readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('/dev/shm/mcpreel-');

fs.writeSync = (descriptor, ...rest) => {
  if (isFile(descriptor)) Atomics.wait(never, 0, 0, slowMs);
  return writeSync(descriptor, ...rest);
};

fs.write = (descriptor, ...rest) => {
  setTimeout(() => write(descriptor, ...rest), isFile(descriptor) ? slowMs : 0);
};

fs.write[promisify.custom] = async (descriptor, ...rest) => {
  if (isFile(descriptor)) await new Promise((resolve) => setTimeout(resolve, slowMs));
  return writeLater(descriptor, ...rest);
};

syncBuiltinESMExports();
