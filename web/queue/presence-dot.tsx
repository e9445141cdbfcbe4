/** Filled: the owner has the page open. Hollow: they are away. */
export const PresenceDot = ({ here }: { here: boolean }) => (
  <span
    aria-hidden="true"
    className={`block size-[10px] rounded-full ${here ? 'border-5 border-green' : 'border-2 border-ink-soft bg-card'}`}
  />
)
