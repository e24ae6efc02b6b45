import { JsonPaths, type PathState, type PathSteps } from '../../json/json-path.ts';
import { encodeString, scanValue } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { SplicedText, walkValues } from './walk-values.ts';

/** Returns the changed text of a message, or the same text. */
export type TextChange = (text: JsonText) => JsonText;

/** How a container relates to the path. */
interface SeenValues {
  readonly targets: PathState;
  readonly parents: PathState;
  /** Whether the last member of the path belongs into this container and has not been found in it yet. */
  lacksMember: boolean;
}

/**
 * Sets all values at a path and leaves every other character unchanged. An object that lacks only the last member of
 * the path gets it as its last member. All duplicates of a key are set, because parsers disagree on which one counts.
 */
export function setAt(path: PathSteps, value: JsonText): TextChange {
  const targets = new JsonPaths([path]);
  const parents = new JsonPaths(path.length > 1 ? [parentOf(path)] : []);
  const last = path.at(-1);
  // `..` and `*` match only existing values, so nothing is added for them.
  const member = last?.deep === false && typeof last.at === 'string' ? last.at : undefined;
  const outermost: SeenValues = { targets: targets.start, parents: parents.start, lacksMember: path.length === 1 };

  return (text) => {
    const spliced = new SplicedText(text);
    walkValues<SeenValues>(text, {
      take(start, key, container) {
        if (container === undefined || key === undefined) return { ...outermost };
        const target = targets.step(container.targets, key);
        if (target.matches) {
          if (key === member) container.lacksMember = false;
          spliced.replace(start, scanValue(text, start), value);
          return undefined;
        }
        const parent = parents.step(container.parents, key);
        if (target.state.length === 0 && !parent.matches) return undefined;
        return { targets: target.state, parents: parent.state, lacksMember: parent.matches };
      },
      leave({ lacksMember }, start, lastEnd) {
        if (!lacksMember || member === undefined || text.charAt(start) !== '{') return;
        const added = `${encodeString(member)}:${value}`;
        const at = lastEnd ?? start + 1;
        spliced.replace(at, at, lastEnd === undefined ? added : `,${added}`);
      },
    });
    return spliced.toString();
  };
}

function parentOf(path: PathSteps): PathSteps {
  return path.slice(0, -1).map((step, index) => ({ ...step, last: index === path.length - 2 }));
}
