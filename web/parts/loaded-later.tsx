import { type ComponentType, h, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component that is loaded when first needed; until then it shows nothing. */
export function loadedLater(load: () => Promise<ComponentType>): ComponentType {
  let component: ComponentType | undefined;
  return function LoadedLater(): JSX.Element | null {
    const [, setLoaded] = useState(component !== undefined);
    useEffect(() => {
      if (component !== undefined) return;
      void load().then((loaded) => {
        component = loaded;
        setLoaded(true);
      });
    }, []);
    return component === undefined ? null : h(component, {});
  };
}
