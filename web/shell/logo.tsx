import { Link } from '../ui/link.tsx'

export const Logo = () => (
  <Link
    href="/"
    className="inline-flex min-h-11 items-center gap-2.5 text-22 font-bold tracking-[-0.025em] text-ink no-underline"
  >
    <picture className="flex-none">
      <source media="(prefers-color-scheme: dark)" srcSet="/logo-mark-dark.svg" />
      <img src="/logo-mark.svg" alt="" width={32} height={32} />
    </picture>
    VetChat
  </Link>
)
