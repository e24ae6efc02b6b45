import type { ComponentChildren, JSX } from 'preact';

/** A section of the session view. */
export function Part({ title, aside, children }: FactListProps): JSX.Element {
  return (
    <section class="part" aria-label={title}>
      <h2>
        {title}
        {aside !== undefined && <span class="hint">{aside}</span>}
      </h2>
      {children}
    </section>
  );
}

interface FactListProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A list of named facts; unknown ones are left out. */
export function FactList({ facts }: { readonly facts: readonly FactRow[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value]) =>
        value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export type FactRow = readonly [name: string, value: ComponentChildren];
