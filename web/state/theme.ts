import { effect, type Signal, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = 'mcpreel.theme';

/** The light or dark theme: the system's, or the user's choice, which is stored if the browser allows it. */
export function themeSignal(): Signal<Theme> {
  const theme = signal<Theme>(THEMES.find((known) => known === kept()) ?? 'system');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const ofSystem = signal(dark.matches);
  dark.addEventListener('change', () => {
    ofSystem.value = dark.matches;
  });
  effect(() => {
    const system = ofSystem.value ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme.value === 'system' ? system : theme.value;
  });
  effect(() => {
    try {
      localStorage.setItem(KEPT_AS, theme.value);
    } catch {
      // A page opened from a file may have no storage.
    }
  });
  return theme;
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}
