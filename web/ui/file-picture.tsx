import { type ComponentProps, useEffect, useRef } from 'react'

/** The chosen picture. Its object URL lasts as long as it's shown. */
export function FilePicture({ file, alt, ...rest }: ComponentProps<'img'> & { file: Blob }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const address = URL.createObjectURL(file)
    if (image.current) image.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [file])
  return <img ref={image} alt={alt} {...rest} />
}
