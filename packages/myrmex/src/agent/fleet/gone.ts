/** Waits until a process that was ended is no more: whoever closes a fleet may rely on nothing being left of it. */

const LOOK_EVERY_MS = 10
const PATIENCE_MS = 2000

export async function gone(pid: number | undefined): Promise<void> {
  if (pid === undefined) return
  for (let waited = 0; isAlive(pid) && waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
