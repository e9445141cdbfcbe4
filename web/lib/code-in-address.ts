import { useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'

/** Removes a secret code from the address and the history straight away, and keeps it for the form. */
export function useCodeInAddress(plainPath: string): string {
  const params = useParams()
  const navigate = useNavigate()
  const [code] = useState(params['code'] ?? '')
  useEffect(() => {
    if (params['code']) void navigate(plainPath, { replace: true, preventScrollReset: true })
  }, [params, navigate, plainPath])
  return code
}
