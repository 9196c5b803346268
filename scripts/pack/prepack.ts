/** The script `prepack` of a package: builds it, and swaps the files that are different in its published form. npm starts it in the package's folder. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { buildPackage } from '../build.ts'
import { keepFiles, swapFiles } from './swapped-files.ts'

keepFiles(process.cwd())
await buildPackage(process.cwd())
swapFiles(process.cwd(), fileURLToPath(new URL('../..', import.meta.url)))
