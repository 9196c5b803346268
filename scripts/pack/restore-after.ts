/** `node scripts/pack/restore-after.ts FOLDER PID`: when npm has ended, puts back the files of a package that it did not. */
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { isRunning } from './npm-process.ts'
import { restoreFilesOf } from './swapped-files.ts'

const INTERVAL_MS = 200

const [folder = '', npm = ''] = process.argv.slice(2)
while (isRunning(Number(npm))) await setTimeout(INTERVAL_MS)
restoreFilesOf(Number(npm), folder)
