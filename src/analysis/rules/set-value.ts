import { JsonPaths, type PathState, type PathSteps } from '../../json/json-path.ts';
import { encodeString, scanValue } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { SplicedText, walkValues } from './walk-values.ts';

/** Makes another text of a message's, or leaves it as it is. */
export type TextChange = (text: JsonText) => JsonText;

/** What a container is to the path. */
interface SeenValues {
  readonly targets: PathState;
  readonly parents: PathState;
  /** Whether it is to have the member that the path names last, and does not have it so far. */
  lacksMember: boolean;
}

/**
 * Sets all that a path leads to to a value, and leaves every other character as it is. An object that only lacks the
 * member at the path's end gets it as its last one. Of a key that occurs twice both are set: readers do not agree on
 * which of them counts.
 */
export function setAt(path: PathSteps, value: JsonText): TextChange {
  const targets = new JsonPaths([path]);
  const parents = new JsonPaths(path.length > 1 ? [parentOf(path)] : []);
  const last = path.at(-1);
  // What `..` and `*` lead to is there already, or it is nothing.
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
