// Sends back every byte that it gets, until its input ends.
process.stdin.pipe(process.stdout);
