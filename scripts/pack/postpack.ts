/**
 * The script `postpack` of a package: puts its own files back. While it publishes, npm reads the manifest once more after this, and sends it
 * to the registry. Then `restore-after.ts` puts the files back when npm has ended.
 */
import process from 'node:process'
import { packingProcess, restoreFiles } from './swapped-files.ts'

const folder = process.cwd()
if (process.env.npm_command !== 'publish' || packingProcess(folder) === undefined) restoreFiles(folder)
