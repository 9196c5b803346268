/** Whether a process exists. Its number may have been given to another program since. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
