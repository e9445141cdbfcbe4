/** A short list; urgent items are red. */
export const Bullets = ({ lines, urgent }: { lines: string[]; urgent?: boolean }) => (
  <ul className="stack gap-[6px]">
    {lines.map((line) => (
      <li
        key={line}
        dir="auto"
        className={`relative ps-5 leading-[1.45] [overflow-wrap:anywhere] before:absolute before:start-1 before:top-[0.58em] before:size-[7px] before:rounded-full ${urgent ? 'before:bg-coral' : 'before:bg-green'}`}
      >
        {line}
      </li>
    ))}
  </ul>
)
