/** Silent: the words beside it say what is being done. */
export function Spinner({ className = '' }: { className?: string }) {
  return (
    <span
      className={`block size-5 flex-none animate-spin rounded-full border-[2.5px] border-current border-r-transparent motion-reduce:[animation-duration:3s] ${className}`}
      aria-hidden="true"
    />
  )
}
