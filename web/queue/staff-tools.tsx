import { memo, type Ref } from 'react'
import { USER_TYPES, type User } from '#contract/accounts.ts'
import * as lengths from '#contract/lengths.ts'
import { VetAvatar } from '../ui/avatar.tsx'
import { Icon } from '../ui/icon.tsx'
import { Key } from '../ui/key.tsx'
import { Menu, MenuButton, MenuLink, MenuRule } from '../ui/menu.tsx'
import { SoundSwitch } from './arrivals.tsx'
import { DutySwitch } from './duty.tsx'
import { STAFF_PLACES } from './staff-places.ts'

export const BarSearch = ({ field }: { field?: Ref<HTMLInputElement> }) => (
  <form
    role="search"
    action="/myaccount"
    className="relative max-w-[19rem] flex-[1_1_9.5rem] max-[63.99rem]:hidden"
  >
    <Icon
      name="search"
      size={16}
      className="pointer-events-none absolute inset-y-0 left-3 my-auto text-ink-soft"
    />
    <input
      ref={field}
      type="search"
      name="q"
      aria-label="Search all consults by number, owner, pet or email"
      placeholder="Number, owner, pet, email"
      maxLength={lengths.search}
      autoComplete="off"
      className="control min-h-9! bg-paper! py-1! pr-[4.25rem]! pl-9! text-14! text-ellipsis max-[79.99rem]:pr-3!"
    />
    <span className="pointer-events-none absolute inset-y-0 right-2 grid items-center max-[79.99rem]:hidden pointer-coarse:hidden">
      <Key>Ctrl K</Key>
    </span>
  </form>
)

/** Sound, duty and the account's menu, which also has the bar's entries that don't fit. */
export const StaffTools = memo(function StaffTools({ user, onKeys }: { user: User; onKeys?: () => void }) {
  const given = `${user.firstName} ${user.lastName}`.trim()
  const name = given ? `${user.type === USER_TYPES.vet ? 'Dr ' : ''}${given}` : user.email
  return (
    <span className="flex flex-wrap items-center justify-end gap-2 max-[63.99rem]:ml-auto max-sm:gap-1">
      <SoundSwitch />
      {user.type === USER_TYPES.vet && <DutySwitch user={user} />}
      <Menu
        label="Account"
        renderOpener={(opener) => (
          <button
            {...opener}
            type="button"
            className="flex min-h-9 min-w-9 flex-none items-center justify-center gap-1 rounded-full focus-visible:rounded-full pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            <span className="max-sm:hidden">
              <VetAvatar name={name} size={32} />
            </span>
            <Icon name="menu" className="min-[64rem]:hidden" />
            <span className="sr-only">{name}: account menu</span>
          </button>
        )}
      >
        <div className="min-[64rem]:hidden">
          {STAFF_PLACES.map(({ href, title, icon, adminsOnly }) => (
            <div key={href} className={adminsOnly ? 'hidden in-data-admin:block' : ''}>
              <MenuLink href={href} icon={icon}>
                {title}
              </MenuLink>
            </div>
          ))}
          <MenuRule />
        </div>
        <MenuLink href="/myaccount/profile" icon="user-round">
          Profile
        </MenuLink>
        <MenuLink href="/content-reviews" icon="check-check">
          Reviews
        </MenuLink>
        {onKeys && (
          <MenuButton icon="corner-down-left" onClick={onKeys}>
            Shortcuts
          </MenuButton>
        )}
        <MenuRule />
        <MenuLink href="/logout" icon="log-out">
          Logout
        </MenuLink>
      </Menu>
    </span>
  )
})
