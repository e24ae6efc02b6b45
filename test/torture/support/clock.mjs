// A clock that can be set for mcpreel alone while it runs.
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { preload } from './reel.mjs';

/** The usual paths of libfaketime. */
const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
].map((folder) => `${folder}/faketime/libfaketimeMT.so.1`);

/**
 * Uses libfaketime, which intercepts the system's time functions, or a hook on Date where it is not installed. As with
 * a real clock, elapsed time (timers, performance.now) does not jump.
 */
export function openClock(file) {
  const library = LIBRARIES.find((path) => existsSync(path));
  return library === undefined ? hookedClock(file) : fakedClock(file, library);
}

function hookedClock(file) {
  const options = { nodeFlags: preload('shifted-clock.cjs'), env: { MCPREEL_CLOCK_FILE: file } };
  return { how: 'a hook on Date', options, set: setBy((seconds) => replace(file, String(seconds * 1000))) };
}

function fakedClock(file, library) {
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const set = setBy((seconds) => replace(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`));
  return { how: 'libfaketime', options: { env }, set };
}

/** Starts at the real time. */
function setBy(set) {
  set(0);
  return set;
}

/** Replaces the file atomically, because it may be read at any time. */
function replace(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
