import type { RefObject } from 'react'
import { USER_TYPES, type User } from '#contract/accounts.ts'
import * as lengths from '#contract/lengths.ts'
import { Logo } from '../shell/logo.tsx'
import { VetAvatar } from '../ui/avatar.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Menu, MenuButton, MenuLink, MenuRule } from '../ui/menu.tsx'
import { DutySwitch } from './duty.tsx'
import { SoundSwitch } from './arrivals.tsx'
import { Key } from '../ui/key.tsx'

const place =
  'inline-flex min-h-9 items-center gap-2 rounded-small px-3 font-medium whitespace-nowrap text-ink-soft no-underline hover:bg-paper-sunk aria-[current]:bg-paper-sunk aria-[current]:font-semi aria-[current]:text-ink'

export function ConsoleBar({
  user,
  waits,
  search,
  onSearch,
  onKeys,
}: {
  user: User
  waits: number | undefined
  search: RefObject<HTMLInputElement | null>
  onSearch: (words: string) => void
  onKeys: () => void
}) {
  const name = `${user.type === USER_TYPES.vet ? 'Dr ' : ''}${user.firstName} ${user.lastName}`
  return (
    <header className="col-span-full flex min-h-14 min-w-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-card px-4 py-[5px] text-14 max-sm:gap-x-1 max-sm:px-3 min-[1024px]:justify-end">
      <Logo />
      <nav aria-label="Staff" className="mr-auto ml-2 flex gap-[2px] max-[1023px]:hidden">
        <span aria-current="page" className={place}>
          Queue
          {waits !== undefined && waits > 0 && (
            <span className="grid h-5 min-w-5 place-items-center rounded-full bg-coral-fill px-[6px] leading-none font-semi text-on-coral tabular-nums">
              {waits}
              <span className="sr-only"> waiting</span>
            </span>
          )}
        </span>
        <Link href="/myaccount" className={place}>
          All consults
        </Link>
      </nav>
      <form
        role="search"
        className="relative w-[17.5rem] max-w-full max-[1279px]:w-[12.5rem] max-[1023px]:hidden"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(search.current?.value.trim() ?? '')
        }}
      >
        <Icon
          name="search"
          size={16}
          className="pointer-events-none absolute inset-y-0 left-3 my-auto text-ink-soft"
        />
        <input
          ref={search}
          type="search"
          aria-label="Search all consults by number, owner, pet or email"
          placeholder="Number, owner, pet, email"
          maxLength={lengths.search}
          autoComplete="off"
          className="control min-h-9! bg-paper! py-1! pr-[4.25rem]! pl-9! text-14! max-[1279px]:pr-3!"
        />
        <span className="pointer-events-none absolute inset-y-0 right-2 grid items-center max-[1279px]:hidden pointer-coarse:hidden">
          <Key>Ctrl K</Key>
        </span>
      </form>
      <span className="flex flex-wrap items-center justify-end gap-2 max-[1023px]:ml-auto max-sm:gap-1">
        <SoundSwitch />
        {user.type === USER_TYPES.vet && <DutySwitch user={user} />}
        <Menu
          label="Account"
          renderOpener={(opener) => (
            <button
              {...opener}
              type="button"
              className="grid size-9 flex-none place-items-center rounded-full focus-visible:rounded-full pointer-coarse:size-11"
            >
              <VetAvatar name={name} size={32} />
              <span className="sr-only">{name}: account menu</span>
            </button>
          )}
        >
          <MenuLink href="/myaccount" icon="clipboard-list">
            All consults
          </MenuLink>
          <MenuLink href="/myaccount/profile" icon="user-round">
            Profile
          </MenuLink>
          {user.type === USER_TYPES.admin && (
            <MenuLink href="/admin" icon="settings">
              Admin Manager
            </MenuLink>
          )}
          <MenuButton icon="corner-down-left" onClick={onKeys}>
            Shortcuts
          </MenuButton>
          <MenuRule />
          <MenuLink href="/logout" icon="log-out">
            Logout
          </MenuLink>
        </Menu>
      </span>
    </header>
  )
}
