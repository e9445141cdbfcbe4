import type { ComponentProps, ReactNode } from 'react'
import { buttonLook } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

type FileInputProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'onChange'> & {
  onFiles: (files: File[]) => void
}

/** Covers the button around it, which only shows what it does. */
export const FileInput = ({ onFiles, ...rest }: FileInputProps) => (
  <input
    {...rest}
    type="file"
    className="absolute inset-0 size-full cursor-pointer rounded-full opacity-0 file:cursor-pointer"
    onChange={(event) => {
      onFiles([...(event.target.files ?? [])])
      // Lets the same file be chosen again after it was removed.
      event.target.value = ''
    }}
  />
)

export const FileButton = ({
  icon,
  children,
  ...input
}: FileInputProps & { icon: IconName; children: ReactNode }) => (
  <label
    className={`relative ${buttonLook({ variant: 'soft', size: 44 })} has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus`}
  >
    <FileInput {...input} />
    <Icon name={icon} />
    {children}
  </label>
)
