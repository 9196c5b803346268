/** The folder, beside its configuration, in which a host keeps its listing cache and how to reach it while it runs. */
import { dirname, join, resolve } from 'node:path'

export const HOST_FOLDER: string = join('.myrmex', 'host')

export const hostFolder = (config: string): string => join(dirname(resolve(config)), HOST_FOLDER)
