import { startEarly } from './early-start.ts';

/**
 * The entry point of the program. It is a separate CommonJS file, because Node starts it in a fraction of the time of
 * its ES module loader. A wrapped server is started before the rest is loaded, so that both start in parallel.
 */
const args = process.argv.slice(2);
const early = startEarly(args);
void import('./main.ts').then(({ main }) => main(args, early)).then((status) => process.exit(status));
