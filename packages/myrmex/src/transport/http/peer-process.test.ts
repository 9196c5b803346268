import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startedChildren } from '../started-children.ts'
import { PeerProcesses } from './peer-process.ts'

const socketOf = (pid: number, descriptor: number): number =>
  Number(/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1])

/** Node gives a program that it starts one end of a pair of sockets. */
function started(): ChildProcess & { pid: number } {
  const child = spawn('/bin/sh', ['-c', 'read -r line; exit'], { stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child as ChildProcess & { pid: number }
}

describe.runIf(process.platform === 'linux')('the process that holds a socket', () => {
  test('is a caller if it is this one', async () => {
    const server = createServer((one) => one.destroy()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    const { fd } = (socket as Socket & { _handle: { fd: number } })._handle
    const inode = socketOf(process.pid, fd)
    expect(inode).toBeGreaterThan(0)
    expect(await new PeerProcesses().isCaller(inode)).toBe(true)
    socket.destroy()
  })

  test('is a caller unless it is a child or below one, in one search for several', async () => {
    const [caller, child] = [started(), started()]
    const peers = new PeerProcesses()
    const inodes = [caller, child].map(({ pid }) => socketOf(pid, 0))
    startedChildren.add(child.pid)
    const verdicts = await Promise.all([...inodes, ...inodes].map((inode) => peers.isCaller(inode)))
    expect(verdicts).toEqual([true, false, true, false])
    startedChildren.delete(child.pid)
    // Nothing is remembered of a process, whose id may be another's next.
    expect(await peers.isCaller(inodes[1] ?? 0)).toBe(true)
    startedChildren.add(caller.pid)
    expect(await peers.isCaller(inodes[0] ?? 0)).toBe(false)
    startedChildren.delete(caller.pid)
  })

  test('is no caller if a descendant of a child holds the socket too', async () => {
    const sharing = spawn('/bin/sh', ['-c', 'sleep 60 & echo "$!"; wait'], { stdio: ['pipe', 'pipe', 'ignore'] })
    onTestFinished(() => void sharing.kill('SIGKILL'))
    const [line] = (await once(sharing.stdout, 'data')) as [Buffer]
    const below = Number(String(line))
    onTestFinished(() => void process.kill(below, 'SIGKILL'))
    const shared = socketOf(below, 1)
    expect(shared).toBe(socketOf(sharing.pid as number, 1))
    expect(await new PeerProcesses().isCaller(shared)).toBe(true)
    startedChildren.add(below)
    expect(await new PeerProcesses().isCaller(shared)).toBe(false)
    startedChildren.delete(below)
  })

  test('is no caller if nobody is seen to hold it', async () => {
    const ended = started()
    const inode = socketOf(ended.pid, 0)
    ended.stdin?.end('\n')
    await once(ended, 'exit')
    expect(await new PeerProcesses().isCaller(inode)).toBe(false)
  })
})
