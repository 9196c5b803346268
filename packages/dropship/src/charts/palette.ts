/**
 * The colours of the charts, light and dark. Each is a CSS variable with the light colour as fallback, so that a chart stays
 * readable where its style is blocked. The contrast to the background is at least 4.5 to 1 for text and 3 to 1 for marks.
 */
const LIGHT = { ground: '#ffffff', ink: '#1f2328', quiet: '#59636e', line: '#d1d9e0' }
const DARK = { ground: '#0d1117', ink: '#e6edf3', quiet: '#9198a1', line: '#3d444d' }

/** Hues that colour-blind readers can tell apart (Okabe and Ito, 2008), darkened for a white background. */
const SERIES: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  blue: ['#0b6bb8', '#58a6ff'],
  orange: ['#b85c00', '#f0a04b'],
  green: ['#00795a', '#3fc49a'],
  pink: ['#a8458a', '#e08cc4'],
  gold: ['#8a6d00', '#e3c94a'],
  grey: ['#6e7781', '#8b949e'],
}

const light = (name: string): string => SERIES[name]?.[0] ?? LIGHT.ink

export const hue = (name: 'blue' | 'orange' | 'green' | 'pink' | 'gold' | 'grey'): string =>
  `var(--${name}, ${light(name)})`
export const ink = (name: 'ink' | 'quiet' | 'line'): string => `var(--${name}, ${LIGHT[name]})`

/** A channel has the same colour in every chart. */
const CHANNELS: Readonly<Record<string, string>> = {
  organic: hue('green'),
  direct: hue('gold'),
  facebook: hue('blue'),
  instagram: hue('pink'),
  tiktok: hue('orange'),
}
export const channelColour = (channel: string): string => CHANNELS[channel] ?? hue('grey')

const variables = (which: 0 | 1, ground: typeof LIGHT): string =>
  [
    ...Object.entries(ground).map(([name, value]) => `--${name}:${value}`),
    ...Object.entries(SERIES).map(([name, pair]) => `--${name}:${pair[which]}`),
  ].join(';')

export const STYLE = [
  `.myrmex-chart{${variables(0, LIGHT)};background:var(--ground);color:var(--ink);display:block;height:auto;max-width:100%}`,
  '.myrmex-chart text{font-family:system-ui,sans-serif;font-variant-numeric:tabular-nums;white-space:pre}',
  `@media (prefers-color-scheme:dark){.myrmex-chart{${variables(1, DARK)}}}`,
].join('')
