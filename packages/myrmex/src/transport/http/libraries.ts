/** The library that writes metrics. `npm pack` bundles it into this file, because most of what it depends on is not used here. */
export { default as prom } from 'prom-client'
