/** Hidden from screen readers: the text beside it says what is happening. */
export const Spinner = ({ className = '' }: { className?: string }) => (
  <span
    className={`block size-5 flex-none animate-spin rounded-full border-[2.5px] border-current border-r-transparent motion-reduce:[animation-duration:3s] ${className}`}
    aria-hidden="true"
  />
)
