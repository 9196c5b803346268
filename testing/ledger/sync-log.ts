/**
 * Loaded before a server (`node --import`): logs to the file SYNC_LOG what the process has synced to the disk, before it goes on. With
 * that, a test can do to the files what a loss of power may do: everything that was not synced is gone.
 */
import fs, { appendFileSync, fstatSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const log = process.env.SYNC_LOG ?? ''
const paths = new Map<number, string>()
const { openSync, fdatasyncSync, fsyncSync } = fs

const logSync = (fd: number): void =>
  appendFileSync(log, `${JSON.stringify({ path: paths.get(fd), size: fstatSync(fd).size })}\n`)

fs.openSync = (...args: Parameters<typeof openSync>) => {
  const fd = openSync(...args)
  paths.set(fd, String(args[0]))
  return fd
}
fs.fdatasyncSync = (fd) => {
  fdatasyncSync(fd)
  logSync(fd)
}
fs.fsyncSync = (fd) => {
  fsyncSync(fd)
  logSync(fd)
}
syncBuiltinESMExports()
