import { writeFileSync } from 'node:fs';

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 64;
const RIGHT = 24;
const BOTTOM = 56;
const LEGEND_TOP = 52;
const LEGEND_LINE = 20;

/** The page's colors, for both themes: readers see the plot next to it. */
const STYLE = `
  svg { --background: #fbfbfa; --ink: #1d2129; --dim: #5d6470; --line: #e6e7ea; --0: #0072b2; --1: #d55e00; --2: #009e73; --3: #aa4499 }
  @media (prefers-color-scheme: dark) {
    svg { --background: #14161a; --ink: #e4e6ea; --dim: #9aa2ae; --line: #2a2e35; --0: #56b4e9; --1: #f08a3c; --2: #2fd3a3; --3: #cc79a7 }
  }
  text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--dim) }
  .title { font-size: 15px; font-weight: 600; fill: var(--ink) }
  .panel { fill: var(--background) } .grid { stroke: var(--line) } .baseline { stroke: var(--dim); stroke-dasharray: 4 4 }
  .line { fill: none; stroke-width: 2 }
${[0, 1, 2, 3].map((n) => `  .c${n} { stroke: var(--${n}) } .f${n} { fill: var(--${n}) }`).join('\n')}
`;

/** Writes an SVG plot of ratios, one line per name. The points are equally spaced, as on a logarithmic scale. */
export function plot(path, { title, across, points, lines }) {
  const entries = Object.entries(lines);
  const top = LEGEND_TOP + LEGEND_LINE * Math.ceil(entries.length / 2) + 4;
  const { highest, step } = scaleFor(Math.max(1, ...Object.values(lines).flat()));
  const x = (n) => LEFT + 40 + (n * (WIDTH - LEFT - RIGHT - 80)) / Math.max(1, points.length - 1);
  const y = (value) => HEIGHT - BOTTOM - (value / highest) * (HEIGHT - BOTTOM - top);
  const parts = [
    `<rect class="panel" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    `<text class="title" x="20" y="30">${title}</text>`,
    ...ticks(highest, step).flatMap((value) => [
      `<path class="${value === 1 ? 'baseline' : 'grid'}" d="M${LEFT} ${y(value)}H${WIDTH - RIGHT}"/>`,
      `<text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${value}×</text>`,
    ]),
    ...points.map((point, n) => `<text x="${x(n)}" y="${HEIGHT - 32}" text-anchor="middle">${point}</text>`),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${across}</text>`,
    ...entries.flatMap(([name, values], n) => [
      ...legend(name, n),
      `<path class="line c${n}" d="M${values.map((value, at) => `${x(at)} ${y(value).toFixed(1)}`).join('L')}"/>`,
      ...values.map((value, at) => mark(x(at), y(value), n, `${name}, ${points[at]}: ${value.toFixed(2)}×`)),
    ]),
  ];
  const size = `viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`;
  const label = `${title}, by ${across}: ${entries.map(([name]) => name).join(', ')}`;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label}">`;
  writeFileSync(path, `${open}\n<style>${STYLE}</style>\n${parts.join('\n')}\n</svg>\n`);
}

function legend(name, n) {
  const left = 20 + (n % 2) * (WIDTH / 2 - 20);
  const top = LEGEND_TOP + LEGEND_LINE * Math.floor(n / 2);
  return [`<path class="line c${n}" d="M${left} ${top - 4}h20"/>`, `<text x="${left + 28}" y="${top}">${name}</text>`];
}

function mark(x, y, n, told) {
  return `<circle class="f${n}" cx="${x}" cy="${y.toFixed(1)}" r="4"><title>${told}</title></circle>`;
}

/** An axis with few, round ticks, including the baseline. */
function scaleFor(most) {
  const step = [0.5, 1, 2, 5, 10, 20, 50].find((size) => most / size <= 6) ?? most / 6;
  return { highest: step * Math.ceil((most * 1.05) / step), step };
}

function ticks(highest, step) {
  const marks = Array.from({ length: Math.round(highest / step) + 1 }, (_, n) => n * step);
  return marks.includes(1) ? marks : [...marks, 1];
}
