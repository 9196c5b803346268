/** Where a host keeps what is its own: beside its configuration, what is remembered of servers, and how a running one is spoken to. */
import { dirname, join, resolve } from 'node:path'

export const HOST_FOLDER: string = join('.myrmex', 'host')

export const hostFolder = (config: string): string => join(dirname(resolve(config)), HOST_FOLDER)
