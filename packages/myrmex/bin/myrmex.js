#!/usr/bin/env node
// The one file that must run on any version of Node. It reports which version is needed, enables the compile cache (here, because
// modules that are loaded earlier are compiled again at every start) and loads the command line.
const needed = 24
const major = Number(process.versions.node.split('.')[0])
if (major < needed) {
  process.stderr.write(
    `myrmex needs Node.js ${needed} or newer; this is ${process.version}. Install a newer one from nodejs.org; in a checkout, use npx myrmex.\n`,
  )
  process.exit(1)
}
// SIGUSR1 makes Node open a debugger port, through which every local user can run code in this process, with its keys. From here on the
// signal is ignored. If the debugger is open already and the user did not ask for it, the command ends.
process.on('SIGUSR1', () => {})
const isAskedFor = /--inspect(?:-brk|-wait)?(?:[=\s]|$)/.test([...process.execArgv, process.env.NODE_OPTIONS].join(' '))
if (!isAskedFor && process.getBuiltinModule('node:inspector')?.url() !== undefined) {
  process.stderr.write(
    'myrmex: another process opened the debugger of this command (SIGUSR1), so it ends. To debug, use --inspect.\n',
  )
  process.exit(1)
}
import('./compile-cache.js').then(({ useCompileCache }) => {
  const refusal = useCompileCache()
  if (refusal === undefined) return import('#command-line')
  process.stderr.write(`myrmex: ${refusal}\n`)
  process.exitCode = 1
})
