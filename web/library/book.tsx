/** The spine's colour depends on the animal on the cover, so that books on a shelf look different. */
const SPINES: Record<string, string> = {
  cat: 'bg-amber',
  rabbit: 'bg-coral',
  bird: 'bg-coral',
  'guinea-pig': 'bg-amber',
}

/** A closed book with its animal on the cover. */
export function Book({ picture, large }: { picture: string; large?: boolean }) {
  const animal = /^\/avatars\/([a-z-]+)\.svg$/.exec(picture)?.[1] ?? ''
  const side = large ? 112 : 64
  return (
    <span
      className={`grid grid-cols-[auto_minmax(0,1fr)] overflow-clip rounded-r-small rounded-l-[3px] border border-line-strong bg-card ${large ? 'h-60 w-46' : 'h-26 w-20 sm:h-34 sm:w-26'}`}
    >
      <span className={`${large ? 'w-4' : 'w-2.5'} ${SPINES[animal] ?? 'bg-green'}`} />
      <span className="grid content-center justify-items-center gap-3">
        {picture && (
          <img
            src={picture}
            alt=""
            width={side}
            height={side}
            loading={large ? undefined : 'lazy'}
            className={large ? 'object-contain' : 'object-contain max-sm:size-12'}
          />
        )}
        <span className={`h-1 rounded-full bg-line ${large ? 'w-20' : 'w-12'}`} />
        <span className={`-mt-1 h-1 rounded-full bg-line ${large ? 'w-14' : 'w-8'}`} />
      </span>
    </span>
  )
}
