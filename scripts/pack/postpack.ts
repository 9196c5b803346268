/**
 * The scripts `postpack` and `postpublish` of a package: put its own files back. While it publishes, npm reads the manifest once more after
 * `postpack`, and sends it to the registry, so that it is put back at the end only.
 */
import process from 'node:process'
import { restoreFiles } from './swapped-files.ts'

const { npm_command: command, npm_lifecycle_event: event } = process.env
if (command !== 'publish' || event === 'postpublish') restoreFiles(process.cwd())
