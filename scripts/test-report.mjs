// A Vitest reporter that adds what other reporters leave out: the slowest parts of a run, and the skipped tests.

const SLOWEST = 10;

// biome-ignore lint/style/noDefaultExport: Vitest loads the default export of a reporter
export default class TestReport {
  #vitest;

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules) {
    if (modules.length === 0) return;
    // With -t, Vitest counts the tests with other names as skipped.
    const isChosenByName = this.#vitest?.config.testNamePattern !== undefined;
    if (isChosenByName && modules.flatMap(testsOf).every((test) => test.result().state === 'skipped')) {
      process.stderr.write('No test has a name that matches -t.\n');
      process.exitCode = 1;
    }
    const sections = [byProject(modules), slowestFiles(modules), ...(isChosenByName ? [] : [skippedTests(modules)])];
    process.stdout.write(
      `\n${sections
        .filter((lines) => lines.length > 1)
        .map(joined)
        .join('\n')}`,
    );
  }
}

function byProject(modules) {
  const projects = groupBy(modules, nameOfProject);
  const lines = [...projects].map(([name, files]) => {
    const tests = files.flatMap(testsOf);
    const time = seconds(files.reduce((sum, file) => sum + timeOf(file), 0));
    return `${time}  ${name}: ${counted(tests.length, 'test')} in ${counted(files.length, 'file')}`;
  });
  return ['Time by project', ...lines];
}

function slowestFiles(modules) {
  const slowest = modules.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, SLOWEST);
  return ['Slowest files', ...slowest.map((file) => `${seconds(timeOf(file))}  ${file.relativeModuleId}`)];
}

function skippedTests(modules) {
  const skipped = modules
    .flatMap(testsOf)
    .filter((test) => test.result().state === 'skipped' && !isBehindFailure(test));
  const byReason = [...groupBy(skipped, reasonOf)].flatMap(([reason, tests]) => [
    `${reason}: ${counted(tests.length, 'test')}`,
    ...tests.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}`),
  ]);
  return [`Skipped: ${counted(skipped.length, 'test')}`, ...byReason];
}

/** Whether a test did not run because a hook of its group failed. Vitest reports that as a failure. */
function isBehindFailure(test) {
  for (let task = test.parent; task !== undefined; task = task.parent) if (task.state?.() === 'failed') return true;
  return false;
}

/** The reason that `unless` of test/support/unless.ts stored with the test or a group around it. */
function reasonOf(test) {
  const { note } = test.result();
  if (note) return note;
  for (let task = test; task !== undefined; task = task.parent) {
    const reason = task.meta?.().skipReason;
    if (reason) return reason;
  }
  return test.options.mode === 'todo' ? 'to do' : 'no reason given';
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const testsOf = (file) => [...file.children.allTests()];
const nameOfProject = (file) => file.project.name || 'all';
const timeOf = (file) => file.diagnostic().duration;
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(9);
const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const joined = ([title, ...lines]) => [title, ...lines.map((line) => `  ${printable(line)}`), ''].join('\n');
/** A name must neither start a new line nor control the terminal. */
const printable = (text) => text.replaceAll(/\p{Cc}/gu, ' ');
