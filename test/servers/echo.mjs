// Echoes every byte until its stdin ends.
process.stdin.pipe(process.stdout);
