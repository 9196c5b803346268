/** The libraries that draw charts. `npm pack` bundles them into this file, because most of what they depend on is not used here. */
export * as plot from '@observablehq/plot'
export { parseHTML } from 'linkedom'
