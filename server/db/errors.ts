/** Whether this holds for an error or for one that caused it. */
const isOrCameFrom = (error: unknown, isOne: (error: NodeJS.ErrnoException) => boolean): boolean =>
  error instanceof Error && (isOne(error) || isOrCameFrom(error.cause, isOne))

/** Whether a statement failed because it violates this constraint or unique index. */
export const violates = (error: unknown, constraint: string) =>
  isOrCameFrom(error, (one) => 'constraint' in one && one.constraint === constraint)

/** Whether a statement gave up waiting for a lock, or the other side of a deadlock went on instead. */
export const waitedForLock = (error: unknown) =>
  isOrCameFrom(error, ({ code = '' }) => /^(55P03|40P01)$/.test(code))

const LOST = /^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|25006|57P0[123]|53300|08\w{3})$/
const LOST_WORDS = /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$/

/** Whether the database was out of reach, or only read while another took over, so that another try may soon work. */
export const isOutOfReach = (error: unknown) =>
  isOrCameFrom(error, ({ code = '', syscall, message }) => {
    // If PostgreSQL is down, the file of its local socket is missing.
    const isGone = code === 'ENOENT' && syscall === 'connect'
    return isGone || LOST.test(code) || LOST_WORDS.test(message)
  })

/** Whether a disk is full: ours, the database's, or a quota of either. */
export const isDiskFull = (error: unknown) =>
  isOrCameFrom(error, ({ code = '' }) => /^(ENOSPC|EDQUOT|53100)$/.test(code))

/** Whether PostgreSQL met something that it has no code for. */
export const isInternal = (error: unknown) => isOrCameFrom(error, ({ code }) => code === 'XX000')

/** Whether a statement was cancelled, mostly because it waited for a lock, or the other side of a deadlock did. */
export const isTooSlow = (error: unknown) =>
  isOrCameFrom(error, ({ code = '' }) => /^(57014|40P01)$/.test(code))
