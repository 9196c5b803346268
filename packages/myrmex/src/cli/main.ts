/** Starts the command line. Alone in its file, so that the compile cache is on before anything else is loaded. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./program.ts')
