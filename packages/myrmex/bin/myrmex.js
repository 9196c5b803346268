#!/usr/bin/env node
// The one file that must run on any Node: it says which one is needed, turns the compile cache on (from here, because
// what is loaded before it is compiled anew at every start) and hands over to the command line.
const needed = 24
const major = Number(process.versions.node.split('.')[0])
if (major < needed) {
  process.stderr.write(`myrmex needs Node.js ${needed} or newer; this is ${process.version}.\n`)
  process.exit(1)
}
import('node:module').then(({ enableCompileCache }) => {
  enableCompileCache()
  return import('../src/cli/main.ts')
})
